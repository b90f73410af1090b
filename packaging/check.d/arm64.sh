#!/bin/sh
# The cross build for arm64: its unit tests, and tests that drive this machine's browser, with the program under qemu. Builds in
# build-arm64/. E2E="sessions http" chooses the tests with a browser, tests/e2e/test_NAME.py; E2E= runs none.
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

mkdir -p build-arm64/qemu
for name in browserd playwright-mcp; do # qemu's -0 sets argv[0], by which the program knows its name
	printf '#!/bin/sh\nexec qemu-aarch64-static -0 %s %s/build-arm64/browserd "$@"\n' $name "$PWD" >build-arm64/qemu/$name
	chmod +x build-arm64/qemu/$name
done
export BROWSERD="$PWD/build-arm64/qemu/browserd" PLAYWRIGHT_MCP="$PWD/build-arm64/qemu/playwright-mcp" PYTHONPATH="$PWD/tests"
for name in ${E2E-sessions snapshots action_pages addresses http run_code drop_in_network drop_in_storage}; do
	echo "== $name"
	python3 "tests/e2e/test_$name.py" >"build-arm64/$name.log" 2>&1 || { tail -n 40 "build-arm64/$name.log"; exit 1; }
	tail -n 3 "build-arm64/$name.log"
done
