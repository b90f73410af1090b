#!/usr/bin/env python3
"""Measures servers for agents on the same pages, in turns, and prints a table with a column for each.

A SERVER is one argument, see tests/compat/servers.py. Rows: time from starting the server to the first snapshot of a
page, snapshot and click that changes a text, navigation to 1000 rows with a snapshot (medians of N), memory of the
server's processes without the browser's.
"""
import argparse
import http.server
import pathlib
import statistics
import sys
import threading
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]
from beside import Handler  # noqa: E402
from compat import servers  # noqa: E402


def timed(work):
    start = time.monotonic()
    work()
    return 1000 * (time.monotonic() - start)


def first_snapshot(text, url):
    started = []

    def work():
        started.append(servers.start(text))
        started[0].open(url)
        assert "Bench" in started[0].snapshot()

    took = timed(work)
    started[0].close()
    return took


def snapshot_and_click(server):
    server.snapshot()
    server.prepare("browser_click", target="#b")()


def rows(server, url):
    server.open(url + "table")
    assert "Item number 999" in server.snapshot()


def row(what, samples, unit="ms"):
    print(f"| {what} | " + " | ".join(f"{statistics.median(s):.1f} {unit}" for s in samples) + " |", flush=True)


def in_turns(times, each, work):
    samples = [[] for _ in each]
    for _ in range(times):
        for item, taken in zip(each, samples):
            taken.append(timed(lambda item=item: work(item)))
    return samples


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("servers", nargs="+", metavar="SERVER")
    options = parser.parse_args()
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{pages.server_port}/"
    row("start to the first snapshot", [[first_snapshot(text, url) for _ in range(3)] for text in options.servers])
    running = [servers.start(text) for text in options.servers]
    for server in running:
        server.open(url)
    row("snapshot, click that changes a text", in_turns(options.times, running, snapshot_and_click))
    row("navigate to 1000 rows, snapshot", in_turns(options.times, running, lambda server: rows(server, url)))
    row("memory without the browser", [[server.memory()] for server in running], "MiB")
    for server in running:
        server.close()


if __name__ == "__main__":
    main()
