"""
firefox_stranger.py ATTACK COUNT FOLDER FIREFOX ARG...: starts Firefox with a profile of its own, so that it learns of the port first, connects to
it, and only then tells the server, as a process would that is faster than the server. The first COUNT browsers are attacked; FOLDER counts them.
ATTACK: "stays" keeps the connection, "leaves" closes it, "is reset" gets an answer and resets it.
"""
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import time

ADDRESS = "WebDriverBiDiServer.json"


def address_of(profile, process):
    path = profile / ADDRESS
    while process.poll() is None:  # another process writes the file
        try:
            text = path.read_text(encoding="utf-8")
            if text.endswith("}"):
                return text
        except FileNotFoundError:
            pass
        time.sleep(0.002)
    sys.exit(process.returncode)


def attack(kind, port):
    connection = socket.create_connection(("127.0.0.1", port))
    if kind == "is reset":  # once Firefox has accepted it; one that is reset before has reached nobody
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        connection.recv(1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if kind != "stays":
        connection.close()
    return connection


def main():
    kind, count, folder, program, *args = sys.argv[1:]
    number = len(os.listdir(folder))
    pathlib.Path(folder, str(number)).touch()
    if number >= int(count):
        os.execv(program, [program, *args])
    wanted = pathlib.Path(args[args.index("--profile") + 1])
    own = wanted / "own"
    own.mkdir()
    shutil.copy(wanted / "user.js", own)
    args[args.index("--profile") + 1] = str(own)
    with subprocess.Popen([program, *args]) as process:
        text = address_of(own, process)
        kept = attack(kind, json.loads(text)["ws_port"])
        (wanted / "new").write_text(text, encoding="utf-8")
        os.rename(wanted / "new", wanted / ADDRESS)
        process.wait()
        kept.close()


main()
