"""Renderers of sessions that do not work let those of sessions with a call run first, until their own next call."""
import ctypes
import os
import struct
import unittest

from support.case import BrowserdCase, main
from support.processes import descendants, renderers as renderers_of

LONG_SLICE = 100_000_000  # nanoseconds, as src/loop/priority.c asks for
SCHED_GETATTR, SCHED_SETATTR = {"x86_64": (315, 314), "aarch64": (275, 274)}.get(os.uname().machine, (None, None))
FORMAT = "IIQiIQQQ"  # size, policy, flags, nice, priority, runtime, deadline, period
LIBC = ctypes.CDLL(None, use_errno=True)


def scheduling(thread):
    """Nice value and slice of a thread; None when it is gone."""
    found = ctypes.create_string_buffer(struct.calcsize(FORMAT))
    if LIBC.syscall(SCHED_GETATTR, thread, found, len(found), 0):
        return None
    _, _, _, nice, _, runtime, _, _ = struct.unpack(FORMAT, found)
    return nice, runtime


def has_slices():
    """Whether the kernel keeps the slice that a thread asks for."""
    def ask(runtime):
        LIBC.syscall(SCHED_SETATTR, 0, struct.pack(FORMAT, struct.calcsize(FORMAT), 0, 0, os.getpriority(os.PRIO_PROCESS, 0), 0, runtime, 0, 0), 0)
        return scheduling(0)
    if SCHED_GETATTR is None:
        return False
    found = ask(LONG_SLICE)
    ask(0)
    return found is not None and found[1] == LONG_SLICE


def renderers(client):
    return renderers_of(descendants(client.process.pid))


def threads(processes):
    """Of all threads of these processes: nice value and slice."""
    found = {}
    for process in processes:
        try:
            ids = os.listdir(f"/proc/{process.pid}/task")
        except OSError:
            continue
        found.update((int(thread), values) for thread in ids if (values := scheduling(int(thread))))
    return found


def yielding(processes):
    """Whether each thread of these processes lets others run first (True), none does (False), or some do (None)."""
    slices = {values[1] == LONG_SLICE for values in threads(processes).values()}
    return slices.pop() if len(slices) == 1 else None


@unittest.skipUnless(has_slices(), "the kernel has no slices that a thread asks for: Linux 6.12 or newer has them")
class Priorities(BrowserdCase):
    def setUp(self):
        self.client, pages = self.start(), self.pages()
        self.waiting = self.client.session()
        self.waiting.navigate(pages.page("<p>waits</p>"))
        self.others = renderers(self.client)
        self.working = self.client.session()
        self.working.navigate(pages.page("<p>works</p>"))
        self.own = renderers(self.client) - self.others

    def work_until(self, *expected):
        """The one session works until the renderers of the other, and its own, are like that."""
        def look():
            self.working.evaluate("1")
            return yielding(self.others), yielding(self.own)
        self.repeat(look, lambda found: found == expected)

    def awake(self):
        """What the threads of the session that waits have after a call of it, while the other has not worked for a longer time."""
        self.work_until(True, False)
        self.assertEqual(self.waiting.evaluate("1 + 1"), 2)
        self.assertEqual(yielding(self.others), False)
        return threads(self.others)

    def test_one_that_waits_yields_to_one_that_works(self):
        first, second = self.awake(), self.awake()
        kept = first.keys() & second.keys()
        self.assertTrue(kept)
        self.assertEqual({thread: second[thread] for thread in kept}, {thread: first[thread] for thread in kept})

    def test_they_take_turns(self):
        self.work_until(True, False)
        self.working, self.waiting, self.own, self.others = self.waiting, self.working, self.others, self.own
        self.work_until(True, False)


if __name__ == "__main__":
    main()
