"""A Chromium that the test itself starts, with a debugging port."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request

from support import engine
from support.client import PATIENCE


def installed():
    """The first Chromium on PATH; None when there is none."""
    return engine.installed("chromium")


class Chromium:
    """Listens on `port` once it is made. close() it; kill() is how it vanishes."""

    def __init__(self, url="about:blank"):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        self._process = subprocess.Popen(
            [installed(), "--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={self.profile}",
             "--no-first-run", "--site-per-process", url],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        found = next(filter(None, map(re.compile(r"ws://[^/]+:(\d+)/").search, self._process.stderr)), None)
        assert found, "the browser did not say where it listens"
        self.port = int(found[1])
        self._drain = threading.Thread(target=self._process.stderr.read, daemon=True)
        self._drain.start()

    def ask(self, path, method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def pages(self):
        """The addresses of its tabs, in all contexts."""
        return sorted(target["url"] for target in json.loads(self.ask("/json/list")) if target["type"] == "page")

    def wait_pages(self, *urls):
        """Until its tabs have these addresses: the list lags behind the end of a tab, and nothing reports it."""
        end = time.monotonic() + PATIENCE
        while self.pages() != sorted(urls):
            assert time.monotonic() < end, f"the tabs are {self.pages()} instead of {urls}"
            time.sleep(0.02)

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def websocket(self):
        return json.loads(self.ask("/json/version"))["webSocketDebuggerUrl"]

    def close_target(self, ident):
        self.ask(f"/json/close/{ident}")

    def kill(self):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self):
        self.kill()
        self._drain.join()
        self._process.stderr.close()
        shutil.rmtree(self.profile, ignore_errors=True)
