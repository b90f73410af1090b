#!/bin/sh
# Three nodes and HAProxy on this machine, at http://127.0.0.1:8931/mcp, until ctrl-c. Arguments are options of all nodes:
#   examples/fleet/fleet.sh --max-sessions 20
# BROWSERD is the program, if it is not in PATH.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/sbin

pids=
for n in 0 1 2; do
	"${BROWSERD-browserd}" --node "node-$n" --port "894$n" --drain 10 "$@" &
	pids="$pids $!"
done
haproxy -db -f haproxy.cfg &
pids="$pids $!"
# shellcheck disable=SC2086 # the list is meant to be split
trap 'kill $pids' INT TERM
wait || true # until the signal
wait         # until all have ended
