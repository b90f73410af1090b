"""
Stands in for a service manager with a socket unit: listens on free ports of the hosts in argv, separated from the command by "--",
prints their ports on stderr, and becomes the command when the first client has connected. Instead of a host, "udp", "unix" and
"connected" are sockets that no server can listen on.
"""
import fcntl
import os
import select
import socket
import sys

FIRST = 3  # the descriptors are consecutive, from 3 on


def open_socket(kind):
    if kind == "udp":
        return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if kind == "unix":
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("\0browserd-test-%d" % os.getpid())
        listener.listen()
        return listener
    if kind == "connected":
        return socket.socketpair()[0]
    return socket.create_server((kind, 0), family=socket.AF_INET6 if ":" in kind else socket.AF_INET)


def main():
    end = sys.argv.index("--")
    sockets = [open_socket(kind) for kind in sys.argv[1:end]]
    ports = [s.getsockname()[1] for s in sockets if s.family != socket.AF_UNIX]
    sys.stderr.write(f"ports {' '.join(map(str, ports))}\n")
    if os.environ.get("WAIT_FOR_CLIENT"):
        select.select(sockets, [], [])
    # Through descriptors above the target range, so that no dup2() closes a socket that is still to be moved.
    high = [fcntl.fcntl(s.fileno(), fcntl.F_DUPFD_CLOEXEC, FIRST + len(sockets)) for s in sockets]
    for number, fd in enumerate(high, FIRST):
        os.dup2(fd, number)
    pid = os.environ.get("LISTEN_PID", str(os.getpid()))
    os.execvpe(sys.argv[end + 1], sys.argv[end + 1:], {**os.environ, "LISTEN_PID": pid, "LISTEN_FDS": str(len(sockets))})


if __name__ == "__main__":
    main()
