#!/bin/bash
# discover.cmake in a folder of stand-in programs: what ctest lists, and what a failure to list looks like.
#   discover_test.sh SOURCE SUPERVISE CTEST
set -euo pipefail
source "$(dirname "$0")/test_folder.sh"

conformance 'printf "add_test(from.the.bench /bin/true)\n" >"$list"; printf "%s\n" "$@" "$LD_LIBRARY_PATH" >"$here/called"'
expect_pass 'a bench that lists' 'from\.the\.bench'
expect 'the folder of the sessions is beside the tests' "$folder/runs" "$(sed -n 6p "$folder/called")"
expect 'listing leaves nothing behind' '' "$(ls -d "$folder"/runs "$TMPDIR"/* 2>/dev/null || true)"

PEERPROOF_BENCH=locked-x3 expect_pass 'a simulated bench' 'from\.the\.bench'
expect 'its libraries come first' "$folder/lib/simulated" "$(sed -n 7p "$folder/called" | cut -d: -f1)"
PEERPROOF_OUT='some where' PEERPROOF_SESSION=mine expect_pass 'a relative folder' 'from\.the\.bench'
expect 'is meant from where one stands' "$PWD/some where" "$(sed -n 6p "$folder/called")"
expect 'the session can be chosen' mine "$(sed -n 4p "$folder/called")"

# The second run's opening fails, after a run in which others failed: the verdict must still be run.
conformance 'cat >"$list" <<END
add_test(open /usr/bin/test -e "$here/opens")
set_tests_properties(open PROPERTIES FIXTURES_SETUP session)
add_test(one /bin/false)
add_test(two /bin/true)
set_tests_properties(one two PROPERTIES FIXTURES_REQUIRED session)
add_test(verdict /bin/false)
set_tests_properties(verdict PROPERTIES FIXTURES_CLEANUP session)
END'
touch "$folder/opens"
run_ctest -j4
rm "$folder/opens"
run_ctest -j4
grep -q ' verdict .*Failed' <<<"$output" && grep -q '4 tests failed out of 4' <<<"$output" ||
    complain 'a verdict after a session that did not open' "$output"

PEERPROOF_BENCH=lokced-x3 expect_failure 'a bench that does not exist' "no simulated bench 'lokced-x3'. Nearest are: locked-x3, open-x3"
PEERPROOF_BENCH=../benches/open-x3 expect_failure 'a bench outside the folder' 'no simulated bench'
PEERPROOF_BENCH=/no/where.toml expect_failure 'a file that does not exist' 'no file /no/where.toml'
PEERPROOF_OUT=/dev/null/x expect_failure 'a folder that cannot be made' '/dev/null is not a folder'
TMPDIR=/no/where expect_failure 'no place for the list' 'no private folder'

conformance 'echo "PEERPROOF_EXPCT: unknown; \"variable\" [[ ]] ]=]" >&2; exit 64'
expect_failure 'a bench that refuses its environment' 'PEERPROOF_EXPCT: unknown; "variable" [[ ]] ]=]'
conformance 'kill -SEGV $$'
expect_failure 'a list that crashes' 'ended by SIGSEGV'
# A list that was written and then given up is no list.
conformance 'echo "add_test(from.the.bench /bin/true)" >"$list"; echo given up; exit 1'
expect_failure 'a list of a listing that failed' 'given up'
conformance 'echo "add_test(from.the.bench /bin/true)" >"$list"; kill -SEGV $$'
expect_failure 'a list of a listing that crashed' 'ended by SIGSEGV'
conformance 'exit 0'
expect_failure 'a list that was not written' 'nothing was said about it'
conformance 'sleep 30'
PEERPROOF_DEADLINE=1 expect_failure 'a list that hangs' 'the deadline passed'
rm "$folder/bin/conformance"
expect_failure 'a missing program' 'could not be started'
rm "$folder/bin/supervise"
expect_failure 'a missing supervisor' 'supervise'
finish
