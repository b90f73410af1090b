"""
What a fleet costs: proxy.py BROWSERD [SECONDS]. Calls through HAProxy (examples/fleet/haproxy.cfg) beside the same calls to the node itself,
by clients that keep their connection and by such that connect for each call; and calls a second of one node and of three with the
same number of sessions, all through HAProxy. All in turns in one run, because the machine does other things, too; medians of the turns.
"""
import contextlib
import json
import os
import statistics
import sys
import time

os.environ["BROWSERD"] = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
TURNS, SESSIONS = 5, 12
CALLS = {"evaluate": {"expression": "document.title"}, "click": {"selector": "button"}}
PAGE = "<title>page</title><button onclick=\"document.title = 'pressed'\">Press</button><p>text</p>"

from support.case import skip  # noqa: E402
from support.fleet import Fleet, program  # noqa: E402
from support.http_client import HttpClient, together  # noqa: E402
from support.pages import Pages  # noqa: E402


class Caller:
    """A client with one session and one connection. `keeps`: it keeps that."""

    def __init__(self, server, url, keeps=True):
        self.client, self.server, self.keeps, self.connection = HttpClient(server), server, keeps, server.connect()
        self.ident = self.client.call("create_session")["sessionId"]
        self.client.call("navigate", sessionId=self.ident, url=url)

    def call(self, tool, **arguments):
        message = self.client.message("tools/call", {"name": tool, "arguments": {"sessionId": self.ident, **arguments}})
        self.connection.request("POST", "/mcp", json.dumps(message), self.client.headers(message))
        body = self.connection.getresponse().read().decode()
        if not self.keeps:
            self.connection.close()
        assert '"result"' in body and '"isError"' not in body, body

    def close(self):
        self.client.call("close_session", sessionId=self.ident)
        self.client.delete()
        self.connection.close()


def timed(caller, tool):
    begun = time.perf_counter()
    caller.call(tool, **CALLS[tool])
    return time.perf_counter() - begun


def latencies(fleet, url):
    """Direct and through HAProxy, one call after the other."""
    node = fleet.nodes["node-0"]
    print(f"{'call':24}{'direct':>12}{'HAProxy':>12}{'ratio':>8}    p50 of {TURNS} turns")
    for keeps in (True, False):
        direct, proxied = Caller(node, url, keeps), Caller(fleet.proxy, url, keeps)
        for tool in CALLS:
            rows = []
            for _ in range(TURNS):
                samples, end = ([], []), time.monotonic() + SECONDS
                while time.monotonic() < end:
                    for caller, into in zip((direct, proxied), samples):
                        into.append(timed(caller, tool))
                rows.append([statistics.median(into) for into in samples])
            one, two = (statistics.median(column) for column in zip(*rows))
            ratio = statistics.median(two / one for one, two in rows)
            print(f"{tool + ('' if keeps else ', new connection'):24}{one * 1000:>9.2f} ms{two * 1000:>9.2f} ms{ratio:>8.3f}")
        direct.close()
        proxied.close()


def rate(callers):
    """Calls a second of all together."""
    end, counts = time.monotonic() + SECONDS, []

    def work(caller):
        count = 0
        while time.monotonic() < end:
            for tool, arguments in CALLS.items():
                caller.call(tool, **arguments)
                count += 1
        counts.append(count)
    together(lambda caller=caller: work(caller) for caller in callers)
    return sum(counts) / SECONDS


def throughput(one, three, url):
    groups = [[Caller(fleet.proxy, url) for _ in range(SESSIONS)] for fleet in (one, three)]
    rows = [[rate(callers) for callers in groups] for _ in range(TURNS)]
    single, triple = (statistics.median(column) for column in zip(*rows))
    print(f"{SESSIONS} sessions at work: {single:.0f} calls a second on one node, {triple:.0f} on three, "
          f"ratio {statistics.median(three / one for one, three in rows):.3f}")
    for caller in sum(groups, []):
        caller.close()


def main():
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(contextlib.closing(Pages())).page(PAGE)
        one, three = (stack.enter_context(contextlib.closing(Fleet(count, "--max-sessions", SESSIONS + 5))) for count in (1, 3))
        latencies(one, url)
        throughput(one, three, url)


if __name__ == "__main__":
    if not program("haproxy"):
        skip("HAProxy is not installed")
    main()
