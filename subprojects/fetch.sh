#!/bin/sh
# Downloads the archives that the wraps here name into packagefiles/, from Debian's source packages: fetch.sh
# Needs apt, and no configuration of it: the entries `deb` of this machine are read as `deb-src` in a folder of its own. Each file is
# checked against the hash of its wrap.
set -eu
cd "$(dirname "$0")"
wanted() { sed -n 's/^source_filename = //p' ./*.wrap; }
hash_of() { sed -n "/^source_filename = $1\$/{n;s/^source_hash = //p}" ./*.wrap; }
is_right() { [ -f "packagefiles/$1" ] && echo "$(hash_of "$1")  packagefiles/$1" | sha256sum --check --status; }

missing=
for file in $(wanted); do
	is_right "$file" || missing="$missing $file"
done
[ -n "$missing" ] || exit 0

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
chmod 755 "$state" # apt downloads as a user of its own
mkdir -p "$state/sources" "$state/lists/partial" "$state/cache/archives/partial"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
	[ -f "$list" ] && sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"$state/sources/$(basename "$list")"
done
[ ! -f "$state/sources/sources.list" ] || mv "$state/sources/sources.list" "$state/sources/main.list"
cat >"$state/apt.conf" <<EOF
Dir::State::lists "$state/lists";
Dir::Cache "$state/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$state/sources";
EOF
export APT_CONFIG="$state/apt.conf"
apt-get update -qq
for file in $missing; do
	uri=$(apt-get source --print-uris "${file%%_*}" 2>/dev/null | sed -n "s|^'\([^']*/$file\)'.*|\1|p")
	if [ -z "$uri" ]; then
		echo "The source packages of this machine's apt have no $file; packagefiles/ needs it from elsewhere." >&2
		exit 1
	fi
	/usr/lib/apt/apt-helper download-file "$uri" "packagefiles/$file" "SHA256:$(hash_of "$file")" >/dev/null
	echo "$file"
done
