#!/bin/bash
# ctest/environment.sh says of every environment what session/settings.cpp says, word by word.
#   environment_test.sh SOURCE SETTINGS_ANSWER
set -euo pipefail
shopt -s extglob
script=$(realpath "$1/ctest/environment.sh") answer=$2
for name in "${!PEERPROOF_@}"; do unset "$name"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir session.d && touch base.json base.toml base.txt .json a.b.toml
failures=0 refused=0

both() {
    local code=0 theirs ours
    theirs=$(env "$@" "$answer") || code=$?
    ours=$(env "$@" bash -c 'shopt -s extglob; source "$0"; environment_trouble' "$script")
    [ "$code" -eq 0 ] || refused=$((refused + 1))
    if [ "$theirs" != "$ours" ] || { [ "$code" -eq 0 ] && [ -n "$ours" ]; } || [[ $code != @(0|64) ]]; then
        printf 'FAILED:'; printf ' %q' "$@"
        printf '\n  settings.cpp (%s): %s\n  environment.sh: %s\n' "$code" "$theirs" "$ours"
        failures=$((failures + 1))
    fi
}

for name in BENCH EXPECT GPUS OUT MEASUREMENTS LARGE_MIB COLLECTIVE WAYS REQUIRE CROWD SOAK SYSFS DEADLINE SESSION SELF_CHECK FIGURES SIMULATED_STATE EXPEKT Expect ''; do
    for value in '' 0 1 2 3 64 65 3600 3601 4096 4097 007 00000000012 -1 -0 +3 ' 3' '3 ' 3x 0x10 99999999999999999999 1.5 \
        open locked Open 'locked ' on off On ipc 'ipc,vmm' full brief none base.json base.toml base.txt .json a.b.toml session.d \
        /no/where.json /no/where base.json/ '*' '$(id)' "it's" $'two\nlines' name_-9 ../x \
        "$(printf 'x%.0s' {1..64})" "$(printf 'x%.0s' {1..65})"; do
        both "PEERPROOF_$name=$value"
    done
done
for duration in 1s 90s 10m 2h 1d 7d 8d 168h 169h 10080m 10081m 604800s 604801s 007m 0s 0000000010m s m 1w 1.5h -1s +1s ' 1s' '1s ' 1h30m 10M 99999999999999999999s; do
    both "PEERPROOF_SOAK=$duration"
done
both PEERPROOF_SELF_CHECK=locked PEERPROOF_EXPECT=locked
both PEERPROOF_SELF_CHECK=locked PEERPROOF_EXPECT=open
both PEERPROOF_SELF_CHECK=locked PEERPROOF_EXPECT=base.json
for list in widths,order,atomics,graph,pool,vmm,ipc ipc,ipc ipc, ,ipc , ipc,,vmm ipx ipc,on off,ipc IPC 'ipc, vmm' ipc,vm \
    'ipc,*' 'i?c' "$(printf 'ipc,%.0s' {1..400})"; do
    both "PEERPROOF_WAYS=$list"
    both "PEERPROOF_REQUIRE=$list"
done
for ways in on off ipc vmm,ipc pool,graph ipc,ipc nonsense ''; do
    for required in ipc ipc,vmm vmm; do
        both "PEERPROOF_WAYS=$ways" "PEERPROOF_REQUIRE=$required"
    done
done
both PEERPROOF_REQUIRE=ipc PEERPROOF_EXPECT=locked
both PEERPROOF_REQUIRE=ipc PEERPROOF_EXPECT=open
both PEERPROOF_REQUIRE=ipc PEERPROOF_EXPECT=base.toml
both PEERPROOF_REQUIRE=ipc PEERPROOF_SELF_CHECK=locked
both PEERPROOF_GPUS=1 PEERPROOF_EXPEKT=open PEERPROOF_DEADLINE=0 PEERPROOF_AAA=1
both PEERPROOF_A-B=1
both OTHER=1 PEERPROOFING=2 PEERPROOF=3
[ "$refused" -gt 100 ] || { echo "FAILED: only $refused environments were refused"; exit 1; }
[ "$failures" -eq 0 ] || exit 1
echo 'all as expected'
