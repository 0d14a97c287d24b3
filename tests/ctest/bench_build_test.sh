#!/bin/bash
# ctest/bench in a source tree of its own with stand-ins for cmake and ctest: nothing runs that was not built today.
#   bench_build_test.sh SOURCE
set -euo pipefail
source_folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
for name in "${!PEERPROOF_@}"; do unset "$name"; done
root=$(realpath "$work")/tree
mkdir -p "$root/ctest" "$root/simulator/benches" "$work/programs" "$work/tmp"
chmod 777 "$work/tmp"
export TMPDIR=$work/tmp PATH=$work/programs:$PATH
cp "$source_folder"/ctest/{bench,selftest,build.sh,environment.sh,series.sh,nearest.awk} "$root/ctest"
touch "$root/simulator/benches/open-x2.toml"
failures=0

# Each writes down that it was called; cmake's build is the program that shows the report.
program() {
    printf '#!/bin/bash\necho "%s $*" >>"%s/tmp/called"\n%s\n' "${1##*/}" "$work" "$2" >"$1"
    chmod 755 "$1"
}
program "$root/ctest/install-packages" 'exit 0'
good_cmake="cd '$root/build/bench' && mkdir -p bin && touch made && printf 'CMAKE_CACHEFILE_DIR:INTERNAL=%s\nCMAKE_HOME_DIRECTORY:INTERNAL=%s\n' '$root/build/bench' '$root' >CMakeCache.txt
printf '#!/bin/sh\n[ \"\$1\" != watch ] || exec cat\necho closing\n' >bin/peerproof-report && chmod 755 bin/peerproof-report"
program "$work/programs/cmake" "$good_cmake"
program "$work/programs/ctest" 'mkdir -p "$PEERPROOF_OUT/$PEERPROOF_SESSION" && echo {} >"$PEERPROOF_OUT/$PEERPROOF_SESSION/report.json"'

complain() {
    printf 'FAILED: %s\n' "$@"
    failures=$((failures + 1))
}

# An unprivileged user: where the test is root's, nobody.
unprivileged() {
    if [ "$(id -u)" -eq 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi
}

bench() {
    rm -f "$work/tmp/called"
    code=0
    output=$(cd "$work" && "$@" "$root/ctest/bench" --out "$work/tmp/runs" </dev/null 2>&1) || code=$?
    called=$(cat "$work/tmp/called" 2>/dev/null || true)
}

# what, exit code, reason, what must not have been called
expect() {
    [ "$code" -eq "$2" ] || complain "$1: exit code $code" "$output"
    grep -qF -- "$3" <<<"$output" || complain "$1: not said: $3" "$output"
    [ -z "$4" ] || ! grep -qE "^($4) " <<<"$called" || complain "$1: called all the same:" "$called"
}

bench env
expect 'a build' 0 closing ''
grep -q '^cmake --build' <<<"$called" && grep -q '^ctest ' <<<"$called" || complain 'a build: called' "$called"

touch "$root/build/bench/old"
bench env
expect 'a second build' 0 closing ''
[ -e "$root/build/bench/old" ] || complain 'a build of this tree was thrown away'
for key in CMAKE_HOME_DIRECTORY CMAKE_CACHEFILE_DIR; do
    touch "$root/build/bench/old"
    sed -i "s|^$key:.*|$key:INTERNAL=/some/where/else|" "$root/build/bench/CMakeCache.txt"
    bench env
    expect "a copied build ($key)" 0 'made afresh' ''
    [ ! -e "$root/build/bench/old" ] || complain "a build of another tree was used ($key)"
done

# The log is named before the build, and how far it is while it runs: on a terminal in one line that changes.
program "$work/programs/cmake" "echo '[1/9] Building CXX object 1.o'; echo '[7/9] Building CXX object 7.o'; sleep 1.5; $good_cmake"
bench env
expect 'a build that takes its time' 0 closing ''
[[ $output == *"building in $root/build/bench "*"; log: $root/build/bench.log"*$'\n[7/9] '*$'\nbuilt in '* ]] ||
    complain 'the progress of a build' "$output"
grep -q 'Building CXX' <<<"$output" && complain 'a step is told where no terminal is' "$output"
grep -q '^\[7/9\] Building CXX object 7.o$' "$root/build/bench.log" || complain 'the log' "$(cat "$root/build/bench.log")"
if command -v script >/dev/null; then
    output=$(cd "$work" && TERM=xterm script -qec "$root/ctest/bench --out $work/tmp/runs" /dev/null </dev/null)
    [[ $output == *$'\r\e[K[7/9] '[0-9]*' s, Building CXX object 7.o'*$'\r\e[Kbuilt in '* ]] || complain 'on a terminal' "$output"
fi

program "$work/programs/cmake" 'echo "an error of the compiler"; exit 3'
bench env
expect 'a build that fails' 75 'reason: the suite could not be built' ctest
grep -qx 'an error of the compiler' <<<"$output" && grep -q "^the build failed after .*; log: $root/build/bench.log\$" <<<"$output" ||
    complain 'a build that fails says why' "$output"
code=0
output=$("$root/ctest/selftest" 2>&1) || code=$?
expect 'self-tests that cannot be built' 3 'an error of the compiler' ctest
grep -q "^building in .*; log: $root/build/selftest.log\$" <<<"$output" || complain 'self-tests' "$output"

# Ctrl-C, to all processes of the terminal's group: nothing was recorded, nothing is run, and nothing keeps running.
program "$work/programs/cmake" "echo '[1/9] Building'; exec sleep 20"
rm -f "$work/tmp/called"
setsid env --default-signal=INT "$root/ctest/bench" --out "$work/tmp/runs" >"$work/tmp/stopped" 2>&1 &
stopped=$!
for _ in {1..100}; do
    ! grep -qs '^cmake' "$work/tmp/called" || break
    sleep 0.1
done
sleep 0.2
kill -INT -- "-$stopped"
code=0
wait "$stopped" || code=$?
output=$(cat "$work/tmp/stopped") called=$(cat "$work/tmp/called")
expect 'a build that is interrupted' 75 'reason: interrupted before anything was recorded; the same command goes on' ctest
grep -q 'build failed' <<<"$output" && complain 'an interrupted build is no failure' "$output"
sleep 1.2
[ -z "$(ps -o stat= -g "$stopped" | grep -v '^Z')" ] || complain 'an interrupted build keeps running' "$(ps -o pid,args -g "$stopped")"

program "$work/programs/cmake" 'echo "an error of the compiler"; exit 3'
program "$work/programs/dd" 'echo "dd: error writing: No space left on device" >&2; exit 1'
bench env
expect 'a build on a full disk' 75 'reason: the suite could not be built: the disk is full' ctest
program "$work/programs/cmake" "$good_cmake"
mv "$work/programs/ctest" "$work/programs/ctest.good"
program "$work/programs/ctest" 'mkdir -p "$PEERPROOF_OUT/$PEERPROOF_SESSION"; exit 8'
bench env
expect 'a session on a full disk' 75 'reason: the disk is full' ''
rm "$work/programs/dd"
mv "$work/programs/ctest.good" "$work/programs/ctest"

# Of another user, or read-only: nothing is built and nothing is run, though all of it is there.
rm -rf "$work/tmp/runs" "$work/tmp/called"
chmod 777 "$root/build" "$root/build/bench"
for file in bench.lock bench.log; do
    touch "$root/build"/bench.{lock,log}
    chmod 666 "$root/build"/bench.{lock,log}
    chmod 444 "$root/build/$file"
    bench unprivileged
    expect "$file cannot be written" 75 "cannot be written: $root/build/$file" 'cmake|ctest'
done
chmod 666 "$root/build"/bench.{lock,log}
chmod 555 "$root/build/bench"
bench unprivileged
expect 'the build folder cannot be written' 75 "cannot be written: $root/build/bench" 'cmake|ctest'
chmod 755 "$root/build/bench"
rm -rf "$root/build"
chmod 555 "$root"
bench unprivileged
expect 'the build folder cannot be made' 75 "$root/build cannot be made" 'cmake|ctest'
chmod 755 "$root"

# The environment comes before all of it.
while read -r variable words; do
    bench env "$variable"
    expect "$variable" 64 "$words" 'install-packages|cmake|ctest'
    [ ! -e "$root/build" ] || complain "$variable: a build folder was made"
    [ ! -e "$work/tmp/runs" ] || complain "$variable: a folder of sessions was made"
done <<'TEXT'
PEERPROOF_EXPEKT=locked PEERPROOF_EXPEKT: unknown variable (nearest are PEERPROOF_EXPECT,
PEERPROOF_EXPECT=closed PEERPROOF_EXPECT='closed': must be open, locked, or a file
PEERPROOF_GPUS=1 PEERPROOF_GPUS='1': must be a number of GPUs from 2 to 64
PEERPROOF_LARGE_MIB=5000 PEERPROOF_LARGE_MIB='5000': must be MiB from 1 to 4096
PEERPROOF_MEASUREMENTS=all PEERPROOF_MEASUREMENTS='all': must be full, brief or off
PEERPROOF_BENCH=opne-x2 PEERPROOF_BENCH: there is no simulated bench 'opne-x2'
TEXT

[ "$failures" -eq 0 ] || exit 1
echo 'all as expected'
