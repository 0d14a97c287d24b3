# Builds a preset and shows how far it is: sourced by ctest/bench and ctest/selftest, which have set `root`.
#
#   exec 8>"$log" && build_preset bench "$log"
#
# cmake and ninja write into the log through descriptor 8, and a second process looks at its end from time to time:
# whatever becomes of that one, the build goes on.

# Whether a line on standard output can be written over.
can_redraw() { [ -t 1 ] && [[ ${TERM:-dumb} != dumb ]]; }

# "34 s" or "2 min 05 s"
duration() {
    if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# Ninja's last "[n/m] step" in a log; nothing while cmake configures.
last_step() {
    tail -c 8192 "$1" | LC_ALL=C grep -aoE '^\[[0-9]+/[0-9]+\] .*' | tail -n 1 || true
}

# On a terminal one line that changes every second; elsewhere a line every 10 per cent, and after 30 s in any case.
show_build() {  # log
    local log=$1 began=$SECONDS said=$SECONDS tenth=0 columns=80 live=no step text count
    ! can_redraw || live=yes
    while
        sleep 1 >/dev/null  # it may outlive us by a moment, and must hold nobody's pipe
        kill -0 $$ 2>/dev/null
    do
        step=$(last_step "$log")
        text="configuring, $(duration $((SECONDS - began)))"
        count=
        if [[ $step =~ ^\[([0-9]{1,6})/([1-9][0-9]{0,5})\]\ (.*)$ ]]; then
            count=$((10 * 10#${BASH_REMATCH[1]} / BASH_REMATCH[2]))
            text="[${BASH_REMATCH[1]}/${BASH_REMATCH[2]}] $(duration $((SECONDS - began)))"
            [ "$live" = no ] || text+=", ${BASH_REMATCH[3]//[^[:print:]]/?}"
        fi
        if [ "$live" = yes ]; then
            read -r _ columns < <(stty size <&1 2>/dev/null) && [ "$columns" -gt 20 ] || columns=80
            printf '\r\033[K%s' "${text:0:columns - 1}"
        elif [ "${count:-0}" -gt "$tenth" ] || [ $((SECONDS - said)) -ge 30 ]; then
            tenth=${count:-0} said=$SECONDS
            printf '%s\n' "$text"
        fi
    done
}

# The exit code is cmake's. Where it is not 0, the end of the log is printed.
build_preset() {  # preset, log
    local preset=$1 log=$2 code=0 began=$SECONDS watcher clear=
    printf 'building in %s (the first time takes minutes); log: %s\n' "$root/build/$preset" "$log"
    show_build "$log" 8>&- 9>&- &
    watcher=$!
    (cd "$root" && cmake --preset "$preset" && NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset") >&8 2>&1 9>&- || code=$?
    { kill "$watcher" && wait "$watcher"; } 2>/dev/null || true
    ! can_redraw || clear=$'\r\033[K'
    printf '%s' "$clear"
    if [ "$code" -eq 0 ]; then
        printf 'built in %s\n' "$(duration $((SECONDS - began)))"
    elif [ "${stopped-no}" = no ]; then
        tail -n 40 "$log"
        printf 'the build failed after %s; log: %s\n' "$(duration $((SECONDS - began)))" "$log"
    fi
    return "$code"
}
