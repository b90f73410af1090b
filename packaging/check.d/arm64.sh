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
meson test -C build-arm64 --no-rebuild --suite unit --timeout-multiplier 10
