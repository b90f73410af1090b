#!/bin/sh
# The step of action.yml: installs the npm packages below the runner's folder for tools, unless a cache has put them there, and adds the
# folder of the commands to PATH for the steps that follow.
set -eu
folder=${RUNNER_TOOL_CACHE:-$HOME/.cache}/browserd/$BROWSERD_RELEASE
program=$folder/node_modules/.bin/browserd
if ! [ -x "$program" ] || [ "$BROWSERD_RELEASE" = latest ]; then
	mkdir -p "$folder"
	# BROWSERD_PACKAGES is a list of words.
	# shellcheck disable=SC2086
	npm install --no-audit --no-fund --loglevel=error --prefix "$folder" ${BROWSERD_PACKAGES:-"browserd@$BROWSERD_RELEASE"}
fi
"$program" --version
printf '%s\n' "${program%/*}" >>"$GITHUB_PATH"
printf 'browserd=%s\n' "$program" >>"$GITHUB_OUTPUT"
