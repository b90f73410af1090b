#!/usr/bin/env python3
"""
A server command that keeps the contract, or breaks it: server_command.py VERB FOLDER [HABIT...]; its server is web_server.py.
Habits: garbage, mute, broken, incomplete, failing, spread, foreground, other-log=PATH, ignore-term, no-shutdown
"""
import datetime
import json
import os
import signal
import subprocess
import sys
import time

VERB, FOLDER, *HABITS = sys.argv[1:]
STATE = os.path.join(FOLDER, "state.json")
LOGS = {kind: os.path.join(FOLDER, f"{kind}.log") for kind in ("stdout", "stderr", "combined")}


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def state():
    try:
        with open(STATE) as file:
            found = json.load(file)
    except OSError:
        return None
    return found if alive(found["pid"]) else None


def launch():
    port_file = os.path.join(FOLDER, "port")
    if os.path.exists(port_file):
        os.remove(port_file)
    options = ["--ignore-term"] if "ignore-term" in HABITS else []
    with open(LOGS["stdout"], "ab") as out, open(LOGS["stderr"], "ab") as err:
        process = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(__file__), "web_server.py"), "--write-port", port_file, *options],
            stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
    open(LOGS["combined"], "ab").close()
    while not os.path.exists(port_file):
        time.sleep(0.01)
    with open(port_file) as file:
        port = int(file.read())
    found = {"url": f"http://localhost:{port}", "port": port, "pid": process.pid, "startedAt": now()}
    with open(STATE, "w") as file:
        json.dump(found, file)
    return found


def stop(found):
    os.kill(found["pid"], signal.SIGTERM)
    while alive(found["pid"]):
        time.sleep(0.01)


def logs():
    other = [habit.partition("=")[2] for habit in HABITS if habit.startswith("other-log=")]
    return {**LOGS, "stderr": other[0]} if other else LOGS


def answer():
    found = state()
    if VERB == "--start":
        return {"status": "already_running" if found else "ready", **(found or launch()), "logs": logs(), "message": "started"}
    if VERB == "--restart":
        if found:
            stop(found)
        more = {"previousPid": found["pid"], "previousPort": found["port"]} if found else {}
        return {"status": "restarted" if found else "started", **launch(), **more, "message": "restarted"}
    if VERB == "--status":
        return {"status": "running" if found else "stopped", **(found or {}), "healthy": bool(found), "message": "asked"}
    if found:
        stop(found)
    return {"status": "stopped" if found else "already_stopped", "message": "shut down"}


def main():
    with open(os.path.join(FOLDER, "verbs"), "a") as file:
        file.write(VERB + "\n")
    if "failing" in HABITS:
        sys.exit("no such database")
    if "mute" in HABITS or ("no-shutdown" in HABITS and VERB == "--shutdown"):
        launch() if VERB == "--start" else None
        signal.pause()
    result = answer()
    if "garbage" in HABITS:
        print("> dev\n{not json\n{\"level\": \"info\"}\n\n[1, 2]\n  } { ", flush=True)
    if "broken" in HABITS:
        print(json.dumps(result)[:-1])
        return
    if "incomplete" in HABITS:
        del result["port"]
        result["pid"] = "many"
    print(json.dumps(result, indent=2 if "spread" in HABITS else None), flush=True)
    if "foreground" in HABITS and VERB == "--start":
        signal.pause()


main()
