# Sourced by the shell tests: a test folder with a real supervise and stand-ins for the rest, and small checks.
source_folder=$1 supervise=$2 ctest=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder="$work/test folder"
mkdir -p "$folder/bin" "$folder/lib/simulated" "$folder/benches" "$work/tmp" "$work/stand here"
export TMPDIR=$work/tmp
for name in "${!PEERPROOF_@}" "${!CTEST_@}"; do unset "$name"; done
unset LD_LIBRARY_PATH
cp "$source_folder"/ctest/{discover.cmake,nearest.awk,installed/CTestTestfile.cmake} "$folder"
cp "$supervise" "$folder/bin/supervise"
touch "$folder"/benches/{open-x3,locked-x3}.toml
cd "$work/stand here"
failures=0

complain() {
    printf 'FAILED: %s\n' "$@"
    failures=$((failures + 1))
}

# A stand-in for a program of bin/: a shell script.
stand_in() {
    printf '#!/bin/bash\nhere=%q\n%s\n' "$folder" "$2" >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}
conformance() { stand_in conformance "list=\$2; $1"; }

expect() {
    [ "$2" = "$3" ] || complain "$1" "expected: $2" "found: $3"
}

run_ctest() {
    code=0
    output=$("$ctest" --test-dir "$folder" --no-tests=error --output-on-failure "$@" 2>&1) || code=$?
}

expect_pass() {
    run_ctest
    [ "$code" -eq 0 ] && grep -q "$2" <<<"$output" || complain "$1" "exit code $code" "$output"
}

# One failing test with the reason, and the closing lines of a verdict.
expect_failure() {
    run_ctest
    if [ "$code" -ne 8 ] || ! grep -qF "$2" <<<"$output" || ! grep -q '^verdict: no_verdict$' <<<"$output" ||
        ! grep -q '^reason: .' <<<"$output" || ! grep -q 'bench\.could_not_be_listed .*Failed' <<<"$output" ||
        ! grep -q '1 tests failed out of 1' <<<"$output"; then
        complain "$1" "exit code $code" "$output"
    fi
    run_ctest -N
    [ "$code" -eq 0 ] || complain "$1: ctest -N" "$output"
}

finish() {
    [ "$failures" -eq 0 ] || exit 1
    echo 'all as expected'
    exit 0
}
