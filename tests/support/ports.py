"""Ports of this machine."""
import random
import socket


def free_port():
    """A port below those that the kernel gives to outgoing connections, so that no connection of another test takes it meanwhile."""
    while True:
        port = random.randint(20000, 32000)
        if is_free(port):
            return port


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
