#!/bin/sh
# Makes the release of HEAD twice, from clones in different folders, by different users' settings, and compares the checksums. Not of
# the image: its packages are those of Debian at the time. Takes minutes.
set -eu
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
platforms=${PLATFORMS-x64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_one() { # make_one FOLDER UMASK LOCALE ZONE
	mkdir -p "$1/tmp"
	git clone --quiet --no-hardlinks . "$1/clone"
	cp subprojects/packagefiles/*.tar.* "$1/clone/subprojects/packagefiles/" 2>/dev/null || true
	(umask "$2" && LC_ALL=$3 TZ=$4 TMPDIR=$1/tmp CCACHE_DISABLE=1 "$1/clone/tools/release" "$version" --platforms "$platforms" --without image --out "$1/dist") >"$1.log" 2>&1 ||
		{ cat "$1.log"; exit 1; }
}
make_one "$work/a" 022 C UTC
make_one "$work/another/folder/b" 077 C.UTF-8 Asia/Tokyo
diff "$work/a/dist/SHA256SUMS" "$work/another/folder/b/dist/SHA256SUMS"
echo "equal: $(wc -l <"$work/a/dist/SHA256SUMS") files"
