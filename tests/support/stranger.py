"""
Runs a browser as a script would that an attacker has a hand in: another process gets to its debugging port before browserd can know
of it. Usage: stranger.py ATTACK COUNT FOLDER BROWSER [ARGUMENT...]; the first COUNT starts are attacked (FOLDER counts them).
"""
import os
import pathlib
import socket
import struct
import subprocess
import sys
import time

PROFILE, ADDRESS = "--user-data-dir=", "DevToolsActivePort"


def connect(port):
    return socket.create_connection(("127.0.0.1", port))


def ask(port, request):
    connection = connect(port)
    connection.sendall(f"{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n\r\n".encode())
    assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    return connection


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


ATTACKS = {
    "stays": connect,
    "leaves": lambda port: ask(port, "GET /json/version").close(),
    "is reset": lambda port: reset(ask(port, "GET /json/version")),
    "opens a page": lambda port: reset(ask(port, "PUT /json/new?data:text/html,evil")),
}


def counted(folder):
    """The number of starts before this one."""
    count = len(os.listdir(folder))
    pathlib.Path(folder, str(os.getpid())).touch()
    return count


def address_of(browser, profile):
    """The contents of the file with the browser's address, once it has been written."""
    while browser.poll() is None:
        if (profile / ADDRESS).exists() and "\n" in (text := (profile / ADDRESS).read_text()):
            return text
        time.sleep(0.001)
    sys.exit(browser.returncode)


def main(attack, count, folder, *command):
    if not any(argument.startswith("--remote-debugging-port") for argument in command):
        os.execvp(command[0], command)
    place = next(n for n, argument in enumerate(command) if argument.startswith(PROFILE))
    profile = pathlib.Path(command[place].removeprefix(PROFILE), "inner")
    browser = subprocess.Popen([*command[:place], f"{PROFILE}{profile}", *command[place + 1:]])
    address = address_of(browser, profile)
    if counted(folder) < int(count):
        held = ATTACKS[attack](int(address.split("\n")[0]))  # noqa: F841, open until this process ends
    (profile.parent / ADDRESS).write_text(address)
    sys.exit(browser.wait())


main(*sys.argv[1:])
