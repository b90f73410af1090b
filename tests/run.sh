#!/bin/sh
# Runs everything that CI runs, prints the slowest tests and ends with the line "N passed, N failed". See --help.
set -eu
cd "$(dirname "$0")/.."

if [ "${1-}" = --help ]; then
	cat <<'EOF'
Usage: tests/run.sh [--quick | TEST...]

Installs what is missing, builds browserd with AddressSanitizer and UBSan into build-asan/ (warnings are errors, also
those of clang where clang-check is installed), runs all tests or the named ones, prints the twenty slowest, and ends with a line
"N passed, N failed".

  --quick          for the loop of a developer: the unit suite and some tests of each surface with the real browser
                   (the suite "quick"; the list is in tests/e2e/meson.build); clang and what needs npm are left out

  TEST_SEED=N      repeats a run of the property tests, which print their seeds
  TEST_CASES=N     cases for each property (20; a third of them where each opens several pages)
  TORTURE_ROWS=N   tools whose waits are made to fail, drawn by the seed (8)
  CHAOS_SECONDS=N  how long the chaos test lasts (8)
  TEST_JOBS=N      tests at a time (one more than processors)
EOF
	exit 0
fi
quick=
if [ "${1-}" = --quick ]; then
	quick=yes
	shift
fi

tests/support/packages.sh

# build_with_sanitizers: quiet unless it fails. -O1 and -g1 take three fifths of the processor time of -O2 and -g, sanitizers find the
# same, and reports have the same functions and lines. Where gold is installed (Debian's binutils have it), it links the programs of
# the tests in less than half of the time.
build_with_sanitizers() {
	mkdir -p build-asan
	if ! { { [ -f build-asan/build.ninja ] ||
		CC_LD=$(command -v ld.gold >/dev/null && echo gold) meson setup build-asan -Dwerror=true -Db_sanitize=address,undefined -Db_lundef=false \
			-Doptimization=1 -Dc_args=-g1; } &&
		ninja -k 0 -C build-asan; } >build-asan/build.log 2>&1; then
		cat build-asan/build.log
		echo "The build in build-asan failed."
		return 1
	fi
}

# The warnings of clang for every file, without its programs. clang-check (Debian: clang-tools) reads many files in one process, and
# the start of clang takes longer than most files do.
check_with_clang() {
	[ -f build-clang/build.ninja ] || CC=clang meson setup build-clang --buildtype=plain -Dwerror=true
	cd build-clang
	ninja -t targets all | sed -n 's/^\(.*\.[ch]\): CUSTOM_COMMAND.*/\1/p' | xargs nice ninja
	sed -n 's/^ *"file": "\(.*\)".*/\1/p' compile_commands.json | sort -u | nice xargs -n 50 -P "$(nproc)" clang-check -p .
}

# The official MCP client and conformance suites, a reader of HTTP archives, a viewer of traces and a dev server, outside of this tree;
# without node or npm the tests that want them say that they are skipped.
install_from_npm() {
	if command -v npm >/dev/null && { [ ! -d "$MCP_SDK/node_modules/mcp-conformance" ] || [ ! -d "$MCP_SDK/node_modules/playwright-core" ]; }; then
		mkdir -p "$MCP_SDK"
		npm install --prefix "$MCP_SDK" --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 har-validator@5.1.5 vite@5.4.11 \
			playwright-core@1.65.1 \
			mcp-conformance@npm:@modelcontextprotocol/conformance@0.2.0-alpha.11 \
			mcp-conformance-old@npm:@modelcontextprotocol/conformance@0.1.16 >/dev/null 2>&1 ||
			echo "What tests want of npm could not be installed; they are skipped."
	fi

	# Applications for the suite `apps`; --ignore-scripts: none of them needs to build anything. Django is Debian's.
	if command -v npm >/dev/null && [ ! -d "$MCP_SDK/node_modules/node-red" ]; then
		npm install --prefix "$MCP_SDK" --silent --no-audit --no-fund --ignore-scripts node-red@4.0.9 swagger-ui-dist@5.18.2 monaco-editor@0.55.1 \
			@shoelace-style/shoelace@2.20.1 >/dev/null 2>&1 ||
			echo "The applications of npm could not be installed; their tests are skipped."
	fi

	# Descriptions of what Kubernetes takes, and the compiler that reads them.
	if command -v npm >/dev/null && [ ! -d "$MCP_SDK/node_modules/kubernetes-models" ]; then
		npm install --prefix "$MCP_SDK" --silent --no-audit --no-fund --ignore-scripts kubernetes-models@5.1.0 yaml@2.9.1 typescript@5.6.3 \
			@kubernetes-models/gateway-api@2.0.0 @kubernetes-models/prometheus-operator@6.0.0 >/dev/null 2>&1 ||
			echo "What describes Kubernetes could not be installed; its manifests are not checked."
	fi

	# Frameworks for the tests of forms in sessions that sleep.
	if command -v npm >/dev/null && [ ! -d "$MCP_SDK/node_modules/vue" ]; then
		npm install --prefix "$MCP_SDK" --silent --no-audit --no-fund --ignore-scripts react@18.3.1 react-dom@18.3.1 vue@3.5.13 >/dev/null 2>&1 ||
			echo "React and Vue could not be installed; the tests that want them are skipped."
	fi

	# For the benchmark `tokens` alone.
	if command -v npm >/dev/null && [ ! -d "$MCP_SDK/node_modules/gpt-tokenizer" ]; then
		npm install --prefix "$MCP_SDK" --silent --no-audit --no-fund --ignore-scripts gpt-tokenizer@4.0.0 >/dev/null 2>&1 ||
			echo "gpt-tokenizer of npm could not be installed; the benchmark of tokens counts bytes."
	fi
}
MCP_SDK=${MCP_SDK-${XDG_CACHE_HOME:-$HOME/.cache}/browserd-tests}
export MCP_SDK

npm=
if [ ! "$quick" ]; then
	install_from_npm & # beside the build: it waits for the network most of the time
	npm=$!
fi
echo "Building with AddressSanitizer and UBSan ..."
if ! build_with_sanitizers; then
	[ ! "$npm" ] || wait "$npm"
	echo "0 passed, 1 failed"
	exit 1
fi

export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:abort_on_error=0:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99
rm -f build-asan/meson-logs/testlog*.json
run_tests() {
	meson test -C build-asan --no-rebuild --num-processes "${TEST_JOBS:-$(($(nproc) + 1))}" "$@" || true
}

failed_builds=0
if [ "$quick" ]; then
	echo "Running the quick tests ..."
	run_tests --suite unit --suite quick
else
	clang=
	if command -v clang >/dev/null && command -v clang-check >/dev/null; then
		echo "Checking with clang, beside the tests ..."
		check_with_clang >build-asan/clang.log 2>&1 &
		clang=$!
	fi
	wait "$npm"
	echo "Running the tests ..."
	run_tests --setup everything "$@"
	if [ "$clang" ] && ! wait "$clang"; then
		cat build-asan/clang.log
		failed_builds=1
	fi
fi
exec python3 tests/support/summary.py "$failed_builds" build-asan/meson-logs
