#!/bin/bash
# The packages, made and unpacked, run the suite on a simulated bench from where they were unpacked.
#   package_test.sh BUILD_FOLDER CPACK CTEST
set -euo pipefail

build=$1 cpack=$2 ctest=$3
scratch=$(mktemp -d -t 'peerproof package XXXXXX')
trap 'rm -rf "$scratch"' EXIT

fail() {
    printf 'package_test: %s\n' "$*" >&2
    exit 1
}

run() { # FOLDER BENCH EXPECTATION
    PEERPROOF_BENCH=$2 PEERPROOF_EXPECT=$3 PEERPROOF_MEASUREMENTS=off PEERPROOF_COLLECTIVE=off PEERPROOF_WAYS=off PEERPROOF_OUT=$scratch/out \
        "$ctest" --test-dir "$1" -j2 --no-tests=error >"$scratch/log" 2>&1
}

(cd "$build" && "$cpack" --config CPackConfig.cmake -G 'DEB;TGZ' -B "$scratch/made") >"$scratch/cpack.log" 2>&1 ||
    fail "cpack: $(tail -n 20 "$scratch/cpack.log")"
deb=$(ls "$scratch"/made/*.deb) archive=$(ls "$scratch"/made/*.tar.gz)

[ "$(dpkg-deb -f "$deb" Package)" = peerproof ] || fail "the package is called $(dpkg-deb -f "$deb" Package)"
dpkg-deb -f "$deb" Depends | grep -q cmake || fail 'the package does not ask for CTest'
dpkg-deb -x "$deb" "$scratch/unpacked deb"
folder="$scratch/unpacked deb/opt/peerproof"
run "$folder" locked-x2 locked || fail "the unpacked .deb: $(tail -n 30 "$scratch/log")"
# The same folder where something else is there than was expected.
run "$folder" locked-x2 open && fail 'a locked bench was green where open was expected'

mkdir "$scratch/unpacked tar"
tar -xzf "$archive" -C "$scratch/unpacked tar"
folder=$(dirname "$(find "$scratch/unpacked tar" -name CTestTestfile.cmake)")
run "$folder" open-x2 open || fail "the unpacked archive: $(tail -n 30 "$scratch/log")"
if readelf -d "$folder"/bin/* | grep -E 'R(UN)?PATH' | grep -F "$build"; then fail 'a program looks for libraries in the build folder'; fi
echo "made and run: $(basename "$deb"), $(basename "$archive")"
