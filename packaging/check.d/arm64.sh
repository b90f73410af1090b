#!/bin/sh
# The cross build for arm64, and its unit tests under qemu. Builds in build-arm64/.
set -eu
for program in aarch64-linux-gnu-gcc qemu-aarch64-static; do
	command -v $program >/dev/null || { echo "skipped: needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static"; exit 77; }
done
subprojects/fetch.sh
[ -f build-arm64/build.ninja ] || meson setup build-arm64 --cross-file packaging/cross/aarch64.ini --buildtype=release --wrap-mode=forcefallback \
	-Dstatic=true -Dopenssl=subproject >/dev/null
ninja -C build-arm64 >build-arm64/build.log 2>&1 || { tail -n 30 build-arm64/build.log; exit 1; }
# Not these: `ports` and `process` find processes by what /proc says, where qemu stands in place of the program; `generated_docs` and
# `packaging` start the program without qemu.
meson test -C build-arm64 --list --suite unit 2>/dev/null | sed -n 's/^browserd:unit \/ //p' |
	grep -vxE 'ports|process|generated_docs|packaging' >build-arm64/tests.txt
# shellcheck disable=SC2046
meson test -C build-arm64 --no-rebuild --suite unit --timeout-multiplier 10 $(cat build-arm64/tests.txt)
