"""Processes and folders that a server leaves or does not leave behind. Waiting is by pidfd: an event, not a poll."""
import os
import re
import select
import signal
import time
from dataclasses import dataclass


KTHREADD = 2


@dataclass(frozen=True)
class Process:
    """One process; the start time distinguishes it from a later one with the same number."""
    pid: int
    start: int

    def command(self):
        """The command line as a list, empty for a zombie or a process that is gone."""
        return _read(self.pid, "cmdline").decode("utf-8", "replace").split("\0")[:-1]

    def alive(self):
        stat = _stat(self.pid)
        return bool(stat) and stat[1] == self.start and stat[2] != "Z"

    def kill(self, number=signal.SIGKILL):
        """Sends a signal; a process that is gone already is no error."""
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass


def _read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""


def _stat(pid):
    """(parent, start time, state), or None when the process is gone."""
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    return (int(fields[1]), int(fields[19]), fields[0].decode()) if fields else None


def _all():
    """Every living process and its parent; threads of the kernel, the children of process 2, are none."""
    for name in os.listdir("/proc"):
        stat = _stat(name) if name.isdigit() else None
        if stat and stat[2] != "Z" and stat[0] != KTHREADD:
            yield Process(int(name), stat[1]), stat[0]


def descendants(pid):
    """Every living process below `pid`."""
    children = {}
    for process, parent in _all():
        children.setdefault(parent, []).append(process)
    found, queue = set(), [pid]
    while queue:
        for child in children.get(queue.pop(), ()):
            found.add(child)
            queue.append(child.pid)
    return found


def marked(marker):
    """Every living process with `marker` in its environment or command line: finds also what was orphaned."""
    needle = marker.encode()
    return {process for process, _ in _all() if process.pid != os.getpid()
            and (needle in _read(process.pid, "environ") or needle in _read(process.pid, "cmdline"))}


def table(found):
    """A line for each of these processes: number, state (T: stopped), processor time in clock ticks, command."""
    lines = []
    for process in sorted(found, key=lambda process: process.pid):
        fields = _read(process.pid, "stat").rpartition(b")")[2].split()
        if fields:
            lines.append(f"{process.pid} {fields[0].decode()} {int(fields[11]) + int(fields[12])} {' '.join(process.command())[:100]}")
    return "\n".join(lines)


def runs_program(pid, *names):
    return _read(pid, "comm").decode().strip() in names


def keepers(found):
    """Those of these processes that are keepers."""
    return {process for process in found if _read(process.pid, "comm") == b"bd-keeper\n"}


def descriptors(pid):
    """How many descriptors a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def wait_descriptors(pid, count, timeout=60):
    """Waits until the process has no more than so many: connections that were left are closed a moment later."""
    end = time.monotonic() + timeout
    while descriptors(pid) > count:
        assert time.monotonic() < end, f"{descriptors(pid)} descriptors are open where {count} were: {_files(pid)}"
        time.sleep(0.05)


def _files(pid):
    return [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]


def renderers(processes):
    """Those among them that have pages, also the browser's spare ones; by the end of its command line, which Chromium's write anew as one text."""
    return {process for process in processes if (words := " ".join(process.command()).split()) and ("--type=renderer" in words or words[-1] == "tab")}


def browsers(processes):
    """
    The main browser processes among them: neither Chromium's helpers nor a shell or script that starts it. A helper has the command line
    of the browser between fork() and exec().
    """
    def is_browser(process):
        command = process.command()
        return (len(command) > 1 and not re.match("sh$|python", os.path.basename(command[0]))
                and any(a.startswith("--remote-debugging-p") for a in command)
                and not any(a.startswith("--type=") for a in command))
    found = {process for process in processes if is_browser(process)}
    pids = {process.pid for process in found}
    return {process for process in found if (stat := _stat(process.pid)) and stat[0] not in pids}


def wait_gone(processes, timeout=60):
    """Waits until all have ended; returns those that have not when the time is up."""
    end = time.monotonic() + timeout
    return {process for process in processes if not _wait_one(process, end)}


def _wait_one(process, end):
    try:
        fd = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return True
    try:
        poller = select.poll()
        poller.register(fd, select.POLLIN)
        # A zombie that has not been reaped yet counts as ended.
        return not process.alive() or bool(poller.poll(max(0, end - time.monotonic()) * 1000))
    finally:
        os.close(fd)


def leftovers(folder):
    """What lies in the private temporary folder of a server that has ended."""
    return sorted(os.listdir(folder))
