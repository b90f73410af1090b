# Implements the protocol of docs/dev-servers.md for a server in $app that listens on $PORT (0: any free port) and prints its address,
# http://localhost:PORT. The commands in this directory source this file: they set `app` and define run_server, which execs the server.
#
#   COMMAND --start | --restart | --status | --shutdown
set -eu

state=${STATE_DIR:-/tmp/$(basename "$0")-$(id -u)} # one server for each state directory
umask 077
mkdir -p "$state"
out=$state/stdout.log err=$state/stderr.log all=$state/stdout.log # the "combined" log is stdout

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
running() { [ -s "$state/pid" ] && kill -0 "$(cat "$state/pid")" 2>/dev/null; }
read_state() { pid=$(cat "$state/pid") port=$(cat "$state/port") started=$(cat "$state/started"); }
place() { printf '"url":"http://localhost:%s","port":%s,"pid":%s,"startedAt":"%s"' "$port" "$port" "$pid" "$started"; }
logs() { printf '"logs":{"stdout":"%s","stderr":"%s","combined":"%s"}' "$out" "$err" "$all"; }
port_from_log() { sed -n 's#.*http://localhost:\([0-9][0-9]*\).*#\1#p' "$out" | head -n 1; }

# The server outlives this command; browserd still finds it when the session ends.
launch() {
	rm -f "$state/port"
	: >"$out"
	: >"$err"
	cd "$app"
	export PORT="${PORT:-0}"
	run_server >>"$out" 2>>"$err" </dev/null &
	pid=$!
	echo "$pid" >"$state/pid"
	now >"$state/started"
	while [ -z "$(port_from_log)" ]; do
		if ! kill -0 "$pid" 2>/dev/null; then
			cat "$err" >&2
			exit 1
		fi
		sleep 0.05
	done
	port_from_log >"$state/port"
	read_state
}

stop() {
	kill "$pid" 2>/dev/null || true
	while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
	rm -f "$state/pid" "$state/port"
}

case ${1-} in
--start)
	status=already_running
	if running; then read_state; else status=ready && launch; fi
	printf '{"status":"%s",%s,%s,"message":"serving"}\n' "$status" "$(place)" "$(logs)"
	;;
--restart)
	status=started previous=
	if running; then
		read_state
		previous=",\"previousPid\":$pid,\"previousPort\":$port"
		stop
		status=restarted
	fi
	launch
	printf '{"status":"%s",%s%s,"message":"serving"}\n' "$status" "$(place)" "$previous"
	;;
--status)
	if running; then
		read_state
		printf '{"status":"running",%s,%s,"healthy":true,"message":"serving"}\n' "$(place)" "$(logs)"
	else
		printf '{"status":"stopped","message":"there is no server"}\n'
	fi
	;;
--shutdown)
	if running; then
		read_state
		stop
		printf '{"status":"stopped","previousPid":%s,"previousPort":%s,"stoppedAt":"%s","message":"it has ended"}\n' "$pid" "$port" "$(now)"
	else
		printf '{"status":"already_stopped","message":"there was no server"}\n'
	fi
	;;
*)
	echo "usage: $0 --start | --restart | --status | --shutdown" >&2
	exit 2
	;;
esac
