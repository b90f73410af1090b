"""
A web server with habits, for tests of dev servers: web_server.py [--port N] [--silent] [--ignore-term] [--daemon-child]
[--flood MIB] [--exit STATUS] [--deaf] [--late SECONDS] [--say TEXT] [--second-port] [--tls CERT KEY]
[--url-path PATH]

What it says when asked: / is a page, /words?... writes to stderr, /die ends it, /redirect?to=URL leads there, /pid, /port2, /missing (404),
/broken (500).
"""
import argparse
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

PAGE = """<!doctype html><title>Application</title><h1>Hello</h1><button id=b onclick="this.textContent='clicked'">press</button>
<input id=i><p id=late hidden>late</p><script>console.error('from the page')</script>"""

STATUSES = {"/missing": 404, "/broken": 500}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        split = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(split.query).items()}
        body, status, headers = PAGE, 200, {}
        if split.path == "/words":
            print(unquote(split.query), file=sys.stderr, flush=True)
        elif split.path == "/die":
            print("Traceback: it dies", file=sys.stderr, flush=True)
            os._exit(7)
        elif split.path == "/redirect":
            status, headers = 302, {"Location": query["to"]}
        elif split.path == "/pid":
            body = str(os.getpid())
        elif split.path == "/port2":
            body = str(getattr(self.server, "second", 0))
        elif split.path in STATUSES:
            status = STATUSES[split.path]
        elif split.path.endswith(".js"):
            body, headers = query.get("code", ""), {"Content-Type": "text/javascript"}
        elif split.path == "/page":
            body = query["body"]
        body = body.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", "Access-Control-Allow-Origin": "*", **headers,
                            "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--ignore-term", action="store_true")
    parser.add_argument("--daemon-child", action="store_true")
    parser.add_argument("--flood", type=int, default=0)
    parser.add_argument("--exit", type=int)
    parser.add_argument("--deaf", action="store_true")
    parser.add_argument("--late", type=float, default=0)
    parser.add_argument("--say")
    parser.add_argument("--second-port", action="store_true")
    parser.add_argument("--write-port")
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--url-path", default="/")
    return parser.parse_args()


def main():
    args = arguments()
    if args.ignore_term:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if args.daemon_child:
        subprocess.Popen(["sleep", "1000"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    if args.exit is not None:
        sys.exit(f"it ends at once") if args.exit == 1 else sys.exit(args.exit)
    if args.deaf:
        signal.pause()
    time.sleep(args.late)
    server = ThreadingHTTPServer(("127.0.0.1", args.port), Handler)
    port = server.server_address[1]
    if args.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*args.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    if args.second_port:
        second = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.second = second.server_address[1]
        threading.Thread(target=second.serve_forever, daemon=True).start()
    for _ in range(args.flood * 16):
        sys.stdout.write("x" * 65535 + "\n")
    if not args.silent:
        print(f"\x1b[32mready\x1b[0m at http://127.0.0.1:\x1b[1m{port}\x1b[0m{args.url_path}", flush=True)
    if args.write_port:
        with open(args.write_port + ".new", "w") as file:
            file.write(str(port))
        os.rename(args.write_port + ".new", args.write_port)
    if args.say:
        print(args.say, flush=True)
    server.serve_forever()


main()
