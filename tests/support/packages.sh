#!/bin/sh
# packages.sh [--run]: installs what is missing to build and test browserd on Debian (apt-get, with sudo when not root), or, with --run,
# to build and run it. Quiet when all is there.
set -eu

packages="gcc libc6-dev meson ninja-build pkg-config python3 libwebsockets-dev libssl-dev zlib1g-dev uuid-dev libhiredis-dev"
if [ "${1-}" != --run ]; then
	packages="$packages libcmocka-dev chromium-headless-shell firefox-esr fonts-liberation openssl python3-django clang-format"
	# Where an init system runs, installing these would start them as services: there the tests that want them say that they are skipped.
	[ -d /run/systemd/system ] || packages="$packages nginx-light prometheus haproxy redis-server"
elif ! { command -v chromium-headless-shell || command -v chromium || command -v google-chrome || command -v microsoft-edge; } >/dev/null; then
	packages="$packages chromium-headless-shell fonts-liberation"
fi

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
	# Not Debian: the build says by itself what it lacks.
	exit 0
fi
missing=
for package in $packages; do
	installed "$package" || missing="$missing $package"
done
[ "$missing" ] || exit 0

echo "Installing$missing"
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # the list is meant to be split
if ! { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
	>"$log" 2>&1; then
	cat "$log" >&2
	echo "Could not install$missing" >&2
	exit 1
fi
