#!/bin/sh
# The image of the release in $DIST, loaded from its archive and run with podman (packaging/image/check).
set -eu
archive=$(ls "$DIST"/browserd-*-image-"$(dpkg --print-architecture)".tar.gz 2>/dev/null) || { echo "skipped: $DIST has no image"; exit 77; }
[ "$(id -u)" -eq 0 ] && command -v podman >/dev/null && command -v crun >/dev/null || { echo "skipped: needs root, podman and crun"; exit 77; }
name=$(podman load --quiet --input "$archive")
exec packaging/image/check "${name#Loaded image: }"
