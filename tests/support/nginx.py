"""nginx in front of a server: with its defaults, or with limits of a test's own."""
import os
import shutil
import socket
import subprocess
import tempfile

from support.client import PATIENCE
from support.http_client import HttpServer
from support.ports import free_port

CONFIG = """
daemon off;
{user}
worker_processes 1;
pid {folder}/pid;
error_log stderr warn;
events {{ worker_connections 256; }}
http {{
	access_log off;
	client_body_temp_path {folder}/body;
	proxy_temp_path {folder}/proxy;
	fastcgi_temp_path {folder}/fastcgi;
	uwsgi_temp_path {folder}/uwsgi;
	scgi_temp_path {folder}/scgi;
	server {{
		listen 127.0.0.1:{port};
		location / {{
			proxy_pass http://127.0.0.1:{upstream};
			{more}
		}}
	}}
}}
"""


def program():
    """Its path, or None."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


class Nginx:
    """What clients talk to in place of the server behind it. `more`: directives for the location."""

    host, tls, is_node, binary = "127.0.0.1", None, False, program()

    def __init__(self, server, more=""):
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_port()
        path = os.path.join(self.folder.name, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIG.format(folder=self.folder.name, port=self.port, upstream=server.port, more=more,
                                     user="user root;" if os.geteuid() == 0 else ""))
        self.process = subprocess.Popen([self.binary, "-p", self.folder.name, "-e", "stderr", "-c", path],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self._wait_until_it_listens()

    def _wait_until_it_listens(self):
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), PATIENCE).close()
                return
            except ConnectionRefusedError:
                pass
        raise AssertionError(f"nginx has ended: {self.process.stderr.read()}")

    connect, ask, client, socket, raw = (HttpServer.connect, HttpServer.ask, HttpServer.client, HttpServer.socket, HttpServer.raw)

    def close(self):
        """Also a second time."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stderr.close()
        self.folder.cleanup()
