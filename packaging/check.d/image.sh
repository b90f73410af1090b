#!/bin/sh
# The image of the release in $DIST, loaded from its archive and run with podman (packaging/image/check).
set -eu
archive=$(ls "$DIST"/browserd-*-image-"$(dpkg --print-architecture)".tar.gz 2>/dev/null) || { echo "skipped: $DIST has no image"; exit 77; }
if [ "$(id -u)" -ne 0 ] || ! command -v podman >/dev/null || ! command -v crun >/dev/null; then
	echo "skipped: needs root, podman and crun"
	exit 77
fi
name=$(gunzip --stdout "$archive" | podman load --quiet)
exec packaging/image/check "${name#Loaded image: }"
