#!/bin/sh
# build.sh SOURCES BUILD COMPILER AR PLATFORM OPTION...: builds libssl.a, libcrypto.a and their headers in the folder BUILD. Installs nothing.
set -eu
sources=$1 build=$2 compiler=$3 ar=$4
shift 4
cd "$build"
if ! { CC=$compiler CFLAGS='' AR=$ar RANLIB="$ar s" perl "$sources/Configure" "$@" && make -j"$(nproc)" build_generated libcrypto.a libssl.a; } \
	>build.log 2>&1; then
	tail -n 20 build.log
	exit 1
fi
: >headers_written.h
