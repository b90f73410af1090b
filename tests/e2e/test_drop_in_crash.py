"""A tab whose renderer has ended: the next call gets a new page, and the console log says why."""
import os
import re
import signal
import time

from support.case import main
from support.client import PATIENCE
from support.drop_in import SharedDropInCase


class Crash(SharedDropInCase):
    def crash(self):
        """Ends the renderers. The answers until the server has noticed."""
        for process in self.client.processes():
            if "--type=renderer" in " ".join(process.command()):  # it has overwritten its arguments with one text
                os.kill(process.pid, signal.SIGKILL)
        answers, until = [], time.monotonic() + PATIENCE
        while not answers or not re.search(r"\[crashed\]|about:blank", answers[-1]):
            self.assertLess(time.monotonic(), until, answers[-1:])
            answers.append(self.ask("browser_tabs", action="list").text)
        return answers

    def test_the_page_is_replaced(self):
        self.show("<script>console.error('before')</script><button>old</button>")
        answers = self.crash()
        snapshot = self.ask("browser_snapshot")
        self.assertIn("- Page URL: about:blank", snapshot.section("Page"))
        log = re.search(r"New console entries: (\S+)#L1", "".join(answers) + snapshot.text)
        text = (self.folder / log[1]).read_text(encoding="utf-8")
        self.assertRegex(text, r"\A\[ +0ms\] Error: Page crashed and was reset to about:blank\.\n")
        shown = self.show("<script>console.error('after')</script><button>new</button>")
        self.assertIn("- Console: 1 errors, 0 warnings", shown.section("Page"))
        log = re.search(r"New console entries: (\S+)#L1", shown.section("Events"))
        self.assertIn("[ERROR] after @", (self.folder / log[1]).read_text(encoding="utf-8"))
        self.assertIn('- button "new"', self.ask("browser_snapshot").snapshot)


if __name__ == "__main__":
    main()
