"""What benchmarks of a whole server measure: memory and processor time of it and all its processes, with pages that are the same for all."""
import os
import pathlib
import re
import time
from concurrent.futures import ThreadPoolExecutor

from support.http_client import HttpServer

MIB = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")
BUTTON = "<button id=b onclick='this.textContent = ++window.n'>0</button><script>window.n = 0</script>"
SMALL = "<!doctype html><title>Small</title><h1>Orders</h1><p>Nothing was ordered today.</p>" + BUTTON
ROWS = "<!doctype html><title>Rows</title>" + BUTTON + "<table>" + "".join(
    f"<tr><td>{i}</td><td><a href='/item/{i}'>Item number {i}</a></td><td>in stock, {i * 7 % 13} left</td>"
    f"<td><button>Order {i}</button></td></tr>" for i in range(1000)) + "</table>"


def tree(root):
    """The process and all below it, with the processor time of each and of its children that have ended, in seconds."""
    stats = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(entry)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    found = [root]
    for pid in found:
        found += [child for child, (parent, _) in stats.items() if parent == pid]
    return {pid: stats[pid][1] for pid in found if pid in stats}


def pss(pids):
    total = 0
    for pid in pids:
        try:
            total += int(re.search(r"^Pss: +(\d+)", pathlib.Path("/proc", str(pid), "smaps_rollup").read_text(), re.MULTILINE)[1]) << 10
        except OSError:
            pass
    return total


class Node:
    """A server with sessions, each of a client of its own. `command`: the whole command, for another program than that of the tests."""

    def __init__(self, *args, command=None, **more):
        self.server = HttpServer("--max-sessions", "500", "--browser-linger", "600000", "--answers", "compact", *args, command=command, **more)
        self.clients = []

    def open(self, count, url):
        def one(_):
            client = self.server.client()
            client.navigate(url)
            return client
        with ThreadPoolExecutor(4) as pool:
            self.clients += pool.map(one, range(count))

    def processor(self):
        return sum(tree(self.server.process.pid).values())

    def memory(self):
        time.sleep(1)  # older than half a second is measured anew
        return self.server.metric("browserd_processes_memory_bytes"), pss(tree(self.server.process.pid))

    def close_sessions(self):
        for client in self.clients:
            client.delete()
        self.clients = []

    def close(self):
        self.close_sessions()
        self.server.close()
        self.server.discard()


def row(*cells):
    print("| " + " | ".join(f"{cell:.3g}" if isinstance(cell, float) and cell < 100 else f"{cell:.0f}" if isinstance(cell, float) else str(cell)
                            for cell in cells) + " |", flush=True)


def header(*cells):
    print()
    row(*cells)
    row(*["---"] * len(cells))
