#!/usr/bin/env python3
"""What one tenant's calls take while a page of another causes events without end, beside what they take before, in the same run.

usage: floods.py BROWSERD [FLOOD...]

Fails when a median grows to more than five times, which is far from what is usual (less than three times).
"""
import contextlib
import os
import pathlib
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from support.http_client import HttpServer
from support.pages import Pages
from support.processes import descendants

SECONDS, LIMIT = 8, 5
LOOP = "() => { let n = 0; setInterval(() => { for (let i = 0; i < %d; i++) { n++; %s } }, %d); return 1 }"
FLOODS = {
    "console": LOOP % (2000, "console.log('x'.repeat(3000), { a: i })", 1),
    "websockets": LOOP % (50, "new WebSocket('ws://127.0.0.1:1/' + 'p'.repeat(5000))", 5),
    "tools": LOOP % (50, """
        const c = new AbortController();
        try { (navigator.modelContext || document.modelContext).registerTool({ name: 't' + n % 5000, description: 'd'.repeat(15000),
            inputSchema: { type: 'object' }, execute: async () => 1 }, { signal: c.signal }); } catch (e) {}
        if (i % 2) c.abort();""", 5),
    "frames": LOOP % (200, "const f = document.createElement('iframe'); document.body.append(f); f.remove()", 1),
    "addresses": LOOP % (200, "history.pushState(0, '', '?' + n)", 1),
    "requests": LOOP % (200, "fetch('data:,' + i + 'y'.repeat(9000)).catch(() => 0)", 1),
}


def processor_time(pid):
    """In seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def call(client, tool, **arguments):
    return client.request("tools/call", {"name": tool, "arguments": arguments})


def calls_for(client, seconds):
    """What each call takes in milliseconds."""
    end, took = time.monotonic() + seconds, []
    while (start := time.monotonic()) < end:
        call(client, "browser_evaluate", function="() => 1 + 1")
        took.append((time.monotonic() - start) * 1000)
        time.sleep(0.05)
    return took


def flood(client, name):
    with contextlib.suppress(AssertionError, OSError):  # the server may end before it answers
        call(client, "browser_evaluate", function=FLOODS[name])


def measure(name, pages):
    server = HttpServer("--max-sessions", "4")
    noisy, other = server.client(), server.client()
    for client in (noisy, other):
        call(client, "browser_navigate", url=pages.page("x"))
    browser = next(p.pid for p in descendants(server.process.pid) if "--remote-debugging-" in " ".join(p.command())
                   and "--type=" not in " ".join(p.command()) and p.command()[0] != "/bin/sh")
    before = calls_for(other, SECONDS / 2)
    began, busy = time.monotonic(), (processor_time(browser), processor_time(server.process.pid))
    threading.Thread(target=flood, args=(noisy, name), daemon=True).start()
    during = calls_for(other, SECONDS)
    took = time.monotonic() - began
    busy = [(processor_time(pid) - was) / took * 100 for pid, was in zip((browser, server.process.pid), busy)]
    server.process.kill()
    server.process.wait()
    ratio = statistics.median(during) / statistics.median(before)
    print(f"{name:10}  median {statistics.median(before):6.1f} ms -> {statistics.median(during):6.1f} ms ({ratio:.1f} times), "
          f"worst {max(before):4.0f} ms -> {max(during):4.0f} ms; browser's process {busy[0]:3.0f} %, browserd {busy[1]:2.0f} % of a core",
          flush=True)
    return ratio


def main():
    os.environ["BROWSERD"] = sys.argv[1]
    pages = Pages()
    ratios = {name: measure(name, pages) for name in sys.argv[2:] or FLOODS}
    pages.close()
    return max(ratios.values()) > LIMIT


if __name__ == "__main__":
    sys.exit(main())
