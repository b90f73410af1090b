#!/usr/bin/env python3
"""Times the same work by two MCP servers with the browser_* tools, in turns, and prints the ratios of the medians.

usage: beside.py [--times N] BROWSERD [OPTION...] -- COMMAND...

For example, with the reference in a folder of its own:

    beside.py build/browserd -- node_modules/.bin/playwright-mcp --headless --isolated
"""
import http.server
import pathlib
import re
import statistics
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "compat"))
from pages import Client

FIELDS = ["First name", "Last name", "Street", "City", "Country"]
PAGES = {
    "/": "<title>Bench</title><h1>Bench</h1><button id=b onclick='this.textContent=++window.n'>0</button>"
         "<script>window.n=0</script>",
    "/table": "<title>Table</title><table>" + "".join(
        f"<tr><td>{i}</td><td><a href='/item/{i}'>Item number {i}</a></td><td>in stock, {i * 7 % 13} left</td>"
        f"<td><button>Order {i}</button></td></tr>" for i in range(1000)) + "</table>",
    "/form": "<title>Form</title><h1>Order</h1><form action=/done>" + "".join(
        f"<label>{name} <input id=f{i}></label>" for i, name in enumerate(FIELDS)) +
        "<label>Size <select id=s><option>small<option>large</select></label>"
        "<label><input id=c type=checkbox>I agree</label><button id=b>Send</button></form>",
    "/done": "<title>Done</title><h1>Thank you</h1><p>Your order is on its way.</p>",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        text = PAGES.get(self.path.split("?")[0])
        body = f"<!DOCTYPE html>{text}".encode() if text else b""
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def snapshot_and_click(client):
    ref = re.search(r"- button .*\[ref=(\w+)\]", client.call("browser_snapshot"))[1]
    client.call("browser_click", element="the button", target=ref)


def fill_form(client):
    client.call("browser_fill_form", fields=[
        {"name": name, "target": f"#f{i}", "type": "textbox", "value": "Ada"} for i, name in enumerate(FIELDS)])


def workflow(client, url):
    client.call("browser_navigate", url=url + "form")
    client.call("browser_snapshot")
    fill_form(client)
    client.call("browser_select_option", element="Size", target="#s", values=["large"])
    client.call("browser_click", element="I agree", target="#c")
    client.call("browser_click", element="Send", target="#b")
    client.call("browser_snapshot")


def memory(client):
    """MiB of the server process alone, its share of shared pages."""
    text = pathlib.Path(f"/proc/{client.process.pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+)", text, re.M)[1]) / 1024


def measure(what, clients, times, work):
    samples = [[] for _ in clients]
    for _ in range(times):
        for client, taken in zip(clients, samples):
            start = time.monotonic()
            work(client)
            taken.append(1000 * (time.monotonic() - start))
    report(what, *map(statistics.median, samples), "ms")


def report(what, ours, theirs, unit):
    print(f"{what:<36} 1/{theirs / ours:<6.1f} ({ours:.1f} against {theirs:.1f} {unit})", flush=True)


def run(clients, url, times):
    def go(path):
        for client in clients:
            client.call("browser_navigate", url=url + path)

    go("")
    measure("evaluate", clients, times, lambda c: c.call("browser_evaluate", function="() => 1+1"))
    measure("snapshot, click that changes text", clients, times, snapshot_and_click)
    measure("screenshot", clients, times, lambda c: c.call("browser_take_screenshot"))
    go("form")
    measure("fill_form, 5 fields", clients, times, fill_form)
    measure("form workflow of 7 steps", clients, times, lambda c: workflow(c, url))
    measure("navigate to 1000 rows, snapshot", clients, times,
            lambda c: (c.call("browser_navigate", url=url + "table"), c.call("browser_snapshot")))
    measure("snapshot of 1000 rows", clients, times, lambda c: c.call("browser_snapshot"))
    report("server memory", *map(memory, clients), "MiB")


def main():
    arguments = sys.argv[1:]
    times = 10
    if arguments[:1] == ["--times"]:
        times = int(arguments[1])
        arguments = arguments[2:]
    if "--" not in arguments[1:-1]:
        sys.exit(__doc__)
    split = arguments.index("--")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        clients = [Client([*command, "--output-dir", folder]) for command in (arguments[:split], arguments[split + 1:])]
        run(clients, f"http://127.0.0.1:{server.server_port}/", times)
        for client in clients:
            client.close()


if __name__ == "__main__":
    main()
