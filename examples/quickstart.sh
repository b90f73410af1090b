#!/bin/sh
# Builds browserd from a fresh clone and runs a demonstration: see --help.
set -eu
cd "$(dirname "$0")/.."

if [ "${1-}" = --help ] || [ "${1-}" = -h ]; then
	cat <<'EOF'
Usage: examples/quickstart.sh

Installs the packages that are missing to build and run browserd, and a browser where there is none (Debian: apt-get, with sudo when
not root), builds a release into build/ (the program is
build/browserd), and runs it: two sessions side by side open a page that this script serves on loopback, type a name,
click, and read the greeting on the page. Each sees only its own cookie and localStorage. A screenshot is saved as
build/quickstart.png. Nothing outside of this folder is changed except for the packages.
EOF
	exit 0
fi

tests/support/packages.sh --run

if [ ! -f build/build.ninja ]; then
	echo "Configuring a release build in build/"
	rm -rf build
	meson setup build --buildtype=release -Dtests=false >/dev/null
fi
echo "Building build/browserd"
ninja -C build browserd playwright-mcp >build/quickstart.log 2>&1 || {
	cat build/quickstart.log >&2
	exit 1
}

exec python3 examples/quickstart.py build/browserd build/quickstart.png
