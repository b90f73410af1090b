#!/bin/sh
# The Debian package of the release in $DIST: a second build of the same sources, in another folder and with the tests, gives the same file,
# which lintian, autopkgtest and systemd in a clean root then check (packaging/debian/check).
set -eu
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
for program in dcmd lintian mmdebstrap autopkgtest systemd-nspawn; do
	command -v $program >/dev/null || { echo "skipped: needs devscripts, lintian, mmdebstrap, autopkgtest and systemd-container"; exit 77; }
done
ls "$DIST"/browserd_*.deb >/dev/null 2>&1 || { echo "skipped: $DIST has no browserd_*.deb"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ARCHIVE=$(ls "$DIST"/browserd-*.tar.xz) packaging/debian/build "$work" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
cmp "$DIST"/browserd_*.deb "$work"/browserd_*.deb
echo "ok: built again, the package is the same"
packaging/debian/check "$work"
