"""
A client to be killed: starts browserd (argv[2:]; "through a shell" when argv[1] is "shell"), makes a session, prints
its process number, and then waits to be killed.
"""
import shlex
import signal
import sys

from support.client import Client, binary


def main():
    kind, args = sys.argv[1], sys.argv[2:]
    command = None
    if kind == "shell":  # the shell does not exec: it stays between client and server
        command = ["sh", "-c", shlex.join([binary(), *args]) + "; exit $?"]
    client = Client(*args, command=command)
    client.session().navigate("data:text/html,<title>held</title>")
    print(client.home, client.process.pid, flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
