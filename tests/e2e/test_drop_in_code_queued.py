"""browser_run_code_unsafe as a client of @playwright/mcp sees it: operations that reach the server together with the end of their program."""
import signal
import time

from support.case import main
from support.drop_in import DropInCase

STOPPED = 0.4  # seconds for which the server does not read, so that it finds all messages of the code at once

# Waits until the time given, asks for the operation and leaves the document with all code in it.
CODE = """async page => {
    const global = (0, eval)('globalThis');
    await page.evaluate(() => fetch('/started').catch(() => 0));
    await new Promise(done => setTimeout(done, %d - Date.now()));
    for (let n = 0; n < 10; n++)
        (%s).catch(() => 0);
    global.location.href = 'about:blank';
    await new Promise(() => 0);
}"""


class QueuedOperations(DropInCase):
    def check(self, operation):
        """The operations are queued when the server sees that their program has ended; they must not run after it."""
        client = self.serve()
        self.open(client, "<p>here")
        at = time.time() + 1
        call = client.start_call("browser_run_code_unsafe", {"code": CODE % (at * 1000, operation)})
        self.site.wait_request("/started")
        time.sleep(max(0, at - STOPPED / 2 - time.time()))
        client.process.send_signal(signal.SIGSTOP)
        time.sleep(STOPPED)
        client.process.send_signal(signal.SIGCONT)
        self.assertTrue(call.result()["isError"])
        self.assertIn("here", self.call(client, "browser_snapshot").text)

    def test_functions(self):
        self.check("page.context().exposeFunction('f' + n, () => 1)")

    def test_routes(self):
        self.check("page.route('**/x' + n, route => route.continue())")

    def test_requests(self):
        self.check("page.request.get('http://127.0.0.1/')")

    def test_cookies(self):
        self.check("page.context().cookies()")


if __name__ == "__main__":
    main()
