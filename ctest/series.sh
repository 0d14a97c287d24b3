# Several runs on one bench: sourced by ctest/bench, which has set `runs`, how many there are to be, and does one by session().
#
#   series FOLDER     exits with the code of the worst run
#
# Each is a session of its own in that folder; the page of all is there too, whatever ends them.

# The line of one run of several, which ends it.
end_of_run() {  # exit code, verdict, what more there is to say of it
    printf 'run %d of %d: %s: %s (%s)\n' "$number" "$runs" "$2" "$3" "$(duration $((SECONDS - began)))"
    exit "$1"
}

# Run after run, each in a shell of its own: whatever ends one, there is the page of all.
series() {  # folder
    local code worst=0
    session_folder=$1
    mkdir -p "$1" || no_verdict "the folder of the runs cannot be made: $1"
    PEERPROOF_OUT=$1
    for ((number = 1; number <= runs; ++number)); do
        trap - ERR
        set +e
        (
            set -e
            trap 'exit 75' ERR
            trap 'stopped=yes' INT TERM HUP
            began=$SECONDS
            session "$(date -u +%Y%m%dT%H%M%SZ)-$(random_name)"
        )
        code=$?
        set -e
        trap 'exit 75' ERR
        [ "$code" -le "$worst" ] || worst=$code
        [ "$stopped" = no ] || break
    done
    number=
    close_series "$1" "$worst"
}

# No page is green where one of the runs was not.
close_series() {  # folder, the highest exit code of a run
    local code=0
    [ "$stopped" = no ] || compgen -G "$1/*/plan.json" >/dev/null || no_verdict interrupted
    banner
    "$folder/bin/peerproof-report" repeat --runs "$runs" --out "$1" "$1" || code=$?
    stopped=no  # the page is what an interruption leaves
    [ "$code" -le 1 ] || [ "$code" -eq 75 ] || no_verdict "there is no page of the runs (exit code $code)"
    [ "$code" -ne 0 ] || [ "$2" -eq 0 ] || no_verdict "a run ended with exit code $2, and the page of all says 0"
    exit "$code"
}
