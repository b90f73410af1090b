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

mkdir -p "$build"
for target; do
	clang -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-fno-strict-aliasing -I"$root/src" -I"$here" "$here/fuzz_$target.c" "$root"/src/base/*.c \
		"$root"/src/loop/*.c "$root"/src/mcp/*.c "$root"/src/cdp/*.c "$root"/src/observe/*.c "$root"/src/browser/*.c \
		-o "$build/fuzz_$target" \
		$(pkg-config --cflags --libs libcjson libwebsockets) -lm
	mkdir -p "$build/$target"
	echo "$target: $seconds seconds"
	(cd "$build" && "./fuzz_$target" -max_total_time="$seconds" -timeout=10 -dict="$here/json.dict" \
		-print_final_stats=0 -verbosity=0 "$build/$target" "$here/corpus/$target")
done
