#!/bin/bash
# ctest/bench over a folder of stand-in programs: its options, its exit codes and its last lines.
#   bench_command_test.sh SOURCE SUPERVISE CTEST
set -euo pipefail
source "$(dirname "$0")/test_folder.sh"

bench() {
    code=0
    output=$("$source_folder/ctest/bench" --test-dir "$folder" "$@" 2>&1) || code=$?
}

# A bench of one test that ends with `$1`, and a report that says `$2`, or none.
session() {
    conformance "printf 'add_test(only /bin/sh -c [[env >\"$folder/env\"; exit $1]])\n' >\"\$list\"
        out=\$6/\$4; [ -z '$2' ] || { mkdir -p \"\$out\"; echo '{}' >\"\$out/report.json\"; }"
    stand_in peerproof-report "[ \$1 != watch ] || exec cat
        printf 'signature: s\nverdict: v\nreports: %s\n' \"\$2\"; exit ${2:-0}"
}

expect_end() {
    expect "$1: exit code" "$2" "$code"
    expect "$1: last lines" "$3" "$(tail -n 3 <<<"$output" | sed 's|: /.*|: PATH|')"
}
closing=$'signature: s\nverdict: v\nreports: PATH'

session 0 0
bench
expect_end 'as expected' 0 "$closing"
grep -q SIMULATED <<<"$output" && complain 'a real bench is called simulated'
session 1 1
bench
expect_end 'refuted' 1 "$closing"
session 1 75
bench
expect_end 'no verdict' 75 "$closing"

for pair in '1 0' '0 1'; do
    session ${pair% *} ${pair#* }
    bench
    expect "contradiction $pair" 75 "$code"
    grep -q 'contradict each other' <<<"$output" && grep -q '^verdict: no_verdict$' <<<"$output" ||
        complain "contradiction $pair" "$output"
done
session 0 ''
mkdir -p "$folder/runs/20200101T000000Z-000000" && echo '{}' >"$folder/runs/20200101T000000Z-000000/report.json"
bench
expect 'no report, though an older one is there' 75 "$code"
grep -q '^reason: the session ended without a report' <<<"$output" || complain 'no report' "$output"

session 0 0
bench --expect=locked --gpus 3 --deadline 7 -j3 --out 'o u t' --simulate locked-x3 --measurements off --collective off --large 12 \
    --self-check locked --ways ipc,vmm
expect_end 'with options' 0 "$closing"
for line in PEERPROOF_EXPECT=locked PEERPROOF_GPUS=3 PEERPROOF_DEADLINE=7 "PEERPROOF_OUT=$PWD/o u t" PEERPROOF_BENCH=locked-x3 \
    PEERPROOF_MEASUREMENTS=off PEERPROOF_COLLECTIVE=off PEERPROOF_LARGE_MIB=12 PEERPROOF_SELF_CHECK=locked \
    PEERPROOF_WAYS=ipc,vmm; do
    grep -qxF "$line" "$folder/env" || complain "not in the environment: $line"
done
bench --require=ipc --ways on
expect_end 'with a way that is required' 0 "$closing"
grep -qxF PEERPROOF_REQUIRE=ipc "$folder/env" || complain 'not in the environment: PEERPROOF_REQUIRE'
bench --simulate locked-x3
expect 'a simulated bench is named twice' 2 "$(grep -c '^##### SIMULATED BENCH: locked-x3' <<<"$output")"
PEERPROOF_BENCH=open-x3 bench
expect 'an inherited one too' 2 "$(grep -c '^##### SIMULATED BENCH: open-x3' <<<"$output")"

# The end of a session that somebody stopped decides nothing, whatever its report says.
conformance "printf 'add_test(only /bin/sh -c [[touch \"$folder/runs/started\"; sleep 1]])\n' >\"\$list\"
    out=\$6/\$4; mkdir -p \"\$out\"; echo '{}' >\"\$out/report.json\""
rm -f "$folder/runs/started"
"$source_folder/ctest/bench" --test-dir "$folder" >"$work/stopped" 2>&1 &
stopped=$!
for _ in {1..100}; do
    [ ! -e "$folder/runs/started" ] || break
    sleep 0.1
done
kill -TERM "$stopped"
code=0
wait "$stopped" || code=$?
expect 'stopped by SIGTERM' 75 "$code"
grep -q '^reason: interrupted' "$work/stopped" || complain 'stopped by SIGTERM' "$(cat "$work/stopped")"

# Several runs: each a session of its own, and the page of all has the last word, unless a run was not green.
session 0 0
bench --runs 3 --out several
expect_end 'three runs' 0 "${closing/PATH/--runs}"
expect 'three runs: a line each' 3 "$(grep -cE '^run [123] of 3: v: s \([0-9]+ s\)$' <<<"$output")"
expect 'three runs: three sessions' 3 "$(ls -d several/*-runs/*/ | wc -l)"
session 1 1
bench --runs=2
expect_end 'two runs that are refuted' 1 "${closing/PATH/--runs}"
session 1 0
bench --runs 2
expect 'a run that contradicts itself: exit code' 75 "$code"
grep -q '^reason: a run ended with exit code 75, and the page of all says 0$' <<<"$output" || complain 'runs and page' "$output"
session 0 ''
bench --runs 2
expect 'runs without a report: exit code' 75 "$code"
grep -q '^run 2 of 2: no_verdict: the session ended without a report' <<<"$output" || complain 'no report of a run' "$output"
session 0 0
stand_in peerproof-report "[ \$1 != repeat ] || exit 70; [ \$1 != watch ] || exec cat; printf 'verdict: v\n'"
bench --runs 2
expect 'no page: exit code' 75 "$code"
grep -q '^reason: there is no page of the runs (exit code 70)$' <<<"$output" || complain 'no page' "$output"

# Stopped in the first of them: no other one begins, and there is the page.
conformance "printf 'add_test(only /bin/sh -c [[touch \"$folder/runs/started\"; sleep 1]])\n' >\"\$list\"
    out=\$6/\$4; mkdir -p \"\$out\"; echo '{}' | tee \"\$out/plan.json\" >\"\$out/report.json\""
stand_in peerproof-report "[ \$1 != watch ] || exec cat; echo \"page: \$*\"; [ \$1 != repeat ] || exit 75"
rm -f "$folder/runs/started"
"$source_folder/ctest/bench" --test-dir "$folder" --runs 5 >"$work/stopped" 2>&1 &
stopped=$!
for _ in {1..100}; do
    [ ! -e "$folder/runs/started" ] || break
    sleep 0.1
done
kill -TERM "$stopped"
code=0
wait "$stopped" || code=$?
expect 'runs stopped by SIGTERM' 75 "$code"
grep -q '^run 1 of 5: ' "$work/stopped" && grep -q '^page: repeat --runs 5 --out ' "$work/stopped" &&
    ! grep -q '^run 2 of 5: ' "$work/stopped" || complain 'runs stopped by SIGTERM' "$(cat "$work/stopped")"

session 0 0
TMPDIR=/no/where bench
expect 'no place for temporary files: exit code' 75 "$code"
grep -q '^reason: there is no place for a temporary file (TMPDIR=/no/where)' <<<"$output" || complain 'TMPDIR' "$output"
if [ -w /dev/full ]; then
    code=0
    "$source_folder/ctest/bench" --test-dir "$folder" --simulate open-x3 >/dev/full 2>/dev/null || code=$?
    expect 'nobody can read what is printed: exit code' 75 "$code"
fi

usage() {
    bench "${@:2}"
    expect "${*:2}: exit code" 64 "$code"
    grep -qF -- "$1" <<<"$output" || complain "${*:2}" "$output"
}
usage 'unknown option --simulated. Nearest are: --simulate, ' --simulated
usage 'unknown option --exepct. Nearest are: --expect, ' --exepct=open
usage 'unknown option x' x
usage 'needs a value' --expect
usage 'neither open nor locked, and no file' --expect closed
usage 'must be a report.json, a .toml' --expect "$0"
usage 'from 2 to 64' --gpus 1
usage 'from 2 to 64' --gpus 65
usage 'from 2 to 64' --gpus 03
usage 'from 1 to 3600' --deadline 0
usage 'from 1 to 1024' -j 0
usage 'from 1 to 1024' -jx
usage 'from 1 to 4096' --large 4097
usage 'from 1 to 4096' --large 0
usage 'from 1 to 9999' --runs 0
usage 'from 1 to 9999' --runs many
usage 'neither on nor off' --collective maybe
usage 'not full, brief or off' --measurements all
usage "neither on, off, nor some of ipc,vmm,pool," --ways ipx
usage 'each once' --ways ipc,ipc
usage 'each once' --require on
usage 'each once' --require ''
usage 'that PEERPROOF_WAYS takes' --require ipc --ways vmm
usage 'that PEERPROOF_WAYS takes' --require ipc --ways off
usage 'where no locked bench is expected' --require ipc --expect locked
usage 'Nearest are: --require, ' --requires ipc
usage 'is not locked' --self-check open
PEERPROOF_EXPEKT=locked usage 'environment: PEERPROOF_EXPEKT: unknown variable (nearest are PEERPROOF_EXPECT, '
PEERPROOF_DEADLINE=never usage "PEERPROOF_DEADLINE='never': must be seconds from 1 to 3600"
PEERPROOF_BENCH=loked-x3 usage "PEERPROOF_BENCH: there is no simulated bench 'loked-x3'"
usage 'has no name' --out ''
usage 'Nearest are (--list has all)' --simulate loked-x3
usage 'locked-x3, open-x3' --simulate loked-x3
usage 'no simulated bench' --simulate ../benches/open-x3
usage 'there is no file' --simulate /no/where.toml
usage 'not a test folder' --test-dir /

printf 'description = "three GPUs, \\"all\\" open"\n[x]\ndescription = "no"\n' >"$folder/benches/open-x3.toml"
bench --list
expect '--list: exit code' 0 "$code"
grep -q '^open-x3  *three GPUs' <<<"$output" && grep -q '^locked-x3' <<<"$output" || complain '--list' "$output"
bench --help
expect '--help' 0 "$code"
finish
