"""A list that remembers what is put into it."""
import html
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

things = []


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        items = "".join(f"<li>{html.escape(thing)}</li>" for thing in things)
        body = ("<!doctype html><title>Things (Python)</title><h1>Things</h1>"
                f"<form method=post><input name=thing><button>Add</button></form><ul>{items}</ul>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        things.append(parse_qs(body).get("thing", [""])[0])
        self.send_response(303)
        self.send_header("Location", "/")
        self.send_header("Content-Length", "0")
        self.end_headers()


server = ThreadingHTTPServer(("localhost", int(os.environ.get("PORT", 0))), Handler)
print(f"listening on http://localhost:{server.server_address[1]}", flush=True)
server.serve_forever()
