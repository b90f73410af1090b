#!/usr/bin/env python3
"""Compare how soon and how surely servers show the effects of an action: settling.py [-r ROUNDS] [-o NAME] COMMAND...

Each COMMAND (one argument) is a server as in tests/compat/servers.py: KIND:COMMAND, or an MCP server on stdin and stdout
with browser_* tools. For each pattern of tests/support/patterns.py the servers take turns: open the page, act, snapshot. Printed as a table:
in how many rounds the effect was there when the action's answer came, and the median time of that call in ms. "–": the server has no
name for what the action is for.
-o: only patterns whose name contains NAME.
"""
import argparse
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from compat import servers  # noqa: E402
from support import patterns  # noqa: E402
from support.pages import Pages  # noqa: E402


def measure(server, url, pattern):
    """Whether the effect was there, and the milliseconds; None for a server that cannot act on this page."""
    server.open(url)
    try:
        act = server.prepare(pattern.tool, **pattern.arguments)
    except servers.Unable:
        return None
    start = time.perf_counter()
    act()
    took = time.perf_counter() - start
    return pattern.shows in server.snapshot(), took * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-r", "--rounds", type=int, default=5)
    parser.add_argument("-o", "--only", default="")
    parser.add_argument("commands", nargs="+")
    options = parser.parse_args()
    pages = Pages()
    clients = [servers.start(command) for command in options.commands]
    sums = [[0, 0, 0] for _ in clients]
    chosen = [(p, u) for p, u in zip(patterns.TABLE, patterns.install(pages)) if options.only in p.name]
    for pattern, url in chosen:
        seen = [[] for _ in clients]
        for _ in range(options.rounds):
            for results, client in zip(seen, clients):
                results.append(measure(client, url, pattern))
        cells = []
        for total, results in zip(sums, seen):
            if None in results:
                cells.append("– | –")
                continue
            shown, took = sum(r[0] for r in results), statistics.median(r[1] for r in results)
            total[0] += shown
            total[1] += took
            total[2] += 1
            cells.append(f"{shown}/{options.rounds} | {took:.0f}")
        print(f"| {pattern.name} | {' | '.join(cells)} |", flush=True)
    print("| all | " + " | ".join(f"{s}/{n * options.rounds} | {t / max(n, 1):.0f}" for s, t, n in sums) + " |")
    for client in clients:
        client.close()
    pages.close()


if __name__ == "__main__":
    main()
