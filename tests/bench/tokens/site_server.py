"""
The site of the benchmark: pages with the banner, navigation and footer that pages have, and a server that keeps what was done on them. Each
run of a task has a name, which its addresses carry, and a state of its own.
"""
import html
import json
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

MENU = ("Home", "Products", "Solutions", "Pricing", "Customers", "Partners", "Blog", "Docs", "API", "Status", "Support", "Community", "Events", "Careers")
FOOTER = {"Company": ("About", "Team", "Press", "Investors", "Contact"), "Legal": ("Terms", "Privacy", "Cookies", "Imprint", "Licences"),
          "Resources": ("Guides", "Tutorials", "Webinars", "Glossary", "Changelog"), "Follow": ("Mastodon", "GitHub", "RSS", "YouTube", "LinkedIn")}
STYLE = """
body { font: 15px/1.4 sans-serif; margin: 0 } header, footer { background: #eee; padding: 8px 16px } header ul, footer ul { list-style: none; padding: 0 }
header .bar { display: flex; gap: 12px; align-items: center } header nav ul { display: flex; flex-wrap: wrap; gap: 10px; margin: 0 }
footer .columns { display: flex; gap: 40px } main { padding: 16px; min-height: 300px } .card { border: 1px solid #ccc; padding: 8px; margin: 4px }
.grid { display: grid; grid-template-columns: repeat(4, 1fr) } .toast { background: #dfd; padding: 8px } .field { margin: 8px 0; display: flex; gap: 8px }
[role=dialog] { position: fixed; inset: 20% 30% auto; background: #fff; border: 1px solid #000; padding: 16px } td, th { padding: 2px 8px; text-align: left }
"""
SCRIPT = """
const run = new URLSearchParams(location.search).get('run');
const at = path => path + (path.includes('?') ? '&' : '?') + 'run=' + run;
const send = (what, data = {}) => fetch('/do/' + what, { method: 'POST', body: JSON.stringify({ run, ...data }) }).then(reply => reply.json());
const show = (id, text) => { document.getElementById(id).textContent = text; };
"""


def chrome(title, main, script=""):
    """A whole page."""
    links = "".join(f"<li><a href='#{name.lower()}'>{name}</a></li>" for name in MENU)
    columns = "".join(f"<div><h4>{head}</h4><ul>" + "".join(f"<li><a href='#{name.lower()}'>{name}</a></li>" for name in names) + "</ul></div>"
                      for head, names in FOOTER.items())
    return (f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title} - Acme</title><style>{STYLE}</style><script>{SCRIPT}</script></head><body>"
            "<header><div class=bar><a href='#'><img alt=Acme width=40 height=20 src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>'></a>"
            f"<nav aria-label=Main><ul>{links}</ul></nav><div><button aria-label=Notifications><svg width=16 height=16><circle r=8 cx=8 cy=8 /></svg></button>"
            f"<button aria-label='Account menu'><span>AL</span></button></div></div></header><main>{main}</main>"
            f"<footer><div class=columns>{columns}</div><p>© 2026 Acme Ltd. All rights reserved.</p></footer><script>{script}</script></body></html>")


def escape(text):
    return html.escape(str(text), quote=True)


class State:
    """What a run has, and what was done in it: `done` has (what, data) in order."""

    def __init__(self, name):
        self.name = name
        self.random = random.Random(name)  # the same texts for each server, not for each task
        self.done = []
        self.values = {}

    def did(self, what):
        return [data for name, data in self.done if name == what]


class Site:
    """`pages`: functions of the state and the query, by path; `actions`: functions of the state and the data, by name."""

    def __init__(self, pages, actions):
        self.pages, self.actions, self.states = pages, actions, {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                address = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(address.query).items()}
                page = site.pages.get(address.path)
                body = page(site.state(query["run"]), query) if page and "run" in query else ""
                self.answer(body, "text/html; charset=utf-8", 200 if body else 404)

            def do_POST(self):
                data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                what, state = urlsplit(self.path).path.removeprefix("/do/"), site.state(data.pop("run"))
                state.done.append((what, data))
                action = site.actions.get(what)
                self.answer(json.dumps(action(state, data) if action else {}), "application/json", 200)

            def answer(self, text, content_type, status):
                body = text.encode()
                self.send_response(status)
                for field, value in (("Content-Type", content_type), ("Content-Length", len(body)), ("Cache-Control", "no-store"),
                                     ("Access-Control-Allow-Origin", "*")):
                    self.send_header(field, str(value))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def state(self, run):
        return self.states.setdefault(run, State(run))

    def url(self, path, run, host="127.0.0.1"):
        return f"http://{host}:{self.server.server_port}{path}{'&' if '?' in path else '?'}run={run}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
