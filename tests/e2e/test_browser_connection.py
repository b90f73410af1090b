"""Who can speak to the browser: browserd alone, through a socket without a name, whatever starts the browser."""
import os
import pathlib
import re

from support import processes
from support.case import BrowserdCase, main
from support.chromium import installed

LISTENS = "0A"  # in /proc/net/tcp


def sockets(process):
    """Inodes of the sockets that a process has open, by descriptor."""
    found = {}
    for entry in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            match = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(entry))
        except FileNotFoundError:
            continue
        if match:
            found[int(entry.name)] = match[1]
    return found


def listening():
    """Inodes of all TCP sockets that listen on this machine."""
    lines = [line.split() for name in ("tcp", "tcp6") for line in pathlib.Path("/proc/net", name).read_text().splitlines()[1:]]
    return {line[9] for line in lines if line[3] == LISTENS}


class Connection(BrowserdCase):
    def setUp(self):
        self.web = self.pages()

    def started(self, *args):
        client = self.start(*args)
        session = client.session()
        self.assertEqual(session.navigate(self.web.page("x", title="alive"))["title"], "alive")
        return client

    def check(self, client):
        """Nothing of the browser listens, and its connection is held by the browser's own process."""
        everything = client.processes()
        held = {process: sockets(process) for process in everything}
        listeners = listening()
        self.assertEqual([process.command() for process, open_ in held.items() if listeners & set(open_.values())], [])
        browser = client.browser()
        self.assertEqual(held[browser][3], held[browser][4])
        return {process for process, open_ in held.items() if held[browser][3] in open_.values()} - {browser}

    def test_nothing_listens(self):
        client = self.started()
        self.assertEqual(self.check(client), set())

    def test_a_script_that_becomes_the_browser(self):
        client = self.started("--executable-path", self.script(f'exec {installed()} "$@"'))
        others = {process for process in self.check(client) if "sh" not in os.path.basename(process.command()[0])}
        self.assertEqual(others, set())

    def test_a_script_that_waits_for_the_browser(self):
        client = self.started("--executable-path", self.script(f'{installed()} "$@"\nexit $?'))
        others = self.check(client)
        self.assertTrue(others, "the script has it, too")
        self.assertTrue(all("sh" in os.path.basename(process.command()[0]) for process in others), others)
        browser = client.browser()
        browser.kill()
        self.assertEqual(processes.wait_gone({browser}), set())
        client.start_call("create_session", {}).result()  # it may be the one that learns of the death
        self.assertEqual(client.session().evaluate("1 + 1"), 2)

    def test_a_script_that_closes_it(self):
        client = self.start("--executable-path", self.script(f'exec {installed()} "$@" 3<&- 4>&-'))
        error = client.fail("create_session")
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertRegex(error.message, "(?s)before it was ready.*[Rr]emote debugging pipe")

    def test_the_browser_ends_with_the_connection(self):
        client = self.start_unchecked()
        client.session()
        browser = client.browser()
        client.process.kill()
        client.process.wait()
        self.assertEqual(processes.wait_gone({browser}), set())


if __name__ == "__main__":
    main()
