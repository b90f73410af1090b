#!/bin/sh
# Looks for inputs that break a fuzz target, with clang's libFuzzer and the sanitizers.
#
#	tests/fuzz/run.sh [-t SECONDS] [TARGET...]		all targets, 60 seconds each, by default
#
# What it finds lies in build-fuzz/ as crash-*; put it into corpus/TARGET/ together with the fix.
set -eu

seconds=60
while getopts t: option; do
	case $option in
	t) seconds=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build-fuzz
[ $# -gt 0 ] || set -- $(cd "$here" && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')

[ -f "$build/build.ninja" ] ||
	CC=clang meson setup "$build" "$root" -Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-fsanitize=fuzzer-no-link
libraries=$(cd "$build" && ninja -t targets all | sed -n 's/^\(src\/.*\.a\):.*/\1/p')
# shellcheck disable=SC2086 # a list
ninja -C "$build" $libraries
for target; do
	# shellcheck disable=SC2046,SC2086
	(cd "$build" && clang -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-fno-strict-aliasing -I"$root/src" -I"$here" "$here/fuzz_$target.c" -Wl,--start-group $libraries -Wl,--end-group \
		-o "fuzz_$target" $(pkg-config --cflags --libs libwebsockets libssl libcrypto uuid zlib) -lm)
	mkdir -p "$build/$target"
	echo "$target: $seconds seconds"
	(cd "$build" && "./fuzz_$target" -max_total_time="$seconds" -timeout=10 -dict="$here/json.dict" \
		-print_final_stats=0 -verbosity=0 "$build/$target" "$here/corpus/$target")
done
