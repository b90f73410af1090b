"""
check_page.py URL TEXT: a check of a page for CI jobs. Opens URL with browserd and fails unless the page shows TEXT.

Writes into the folder `artifacts`, which a job uploads when it fails: the page's snapshot, a screenshot, the console, and a trace for
Playwright's trace viewer. BROWSERD names another program than `browserd`.
"""
import json
import os
import subprocess
import sys


class Browser:
    """The tools of one browserd process."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.requests = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "check_page", "version": "1"})

    def ask(self, method, **params):
        self.requests += 1
        request = {"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.requests:
                return answer["result"]
        sys.exit("browserd has ended; its stderr says why")

    def call(self, tool, **arguments):
        """The text of the tool's answer, and whether it failed."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        return "\n".join(each.get("text", "") for each in result["content"]), result.get("isError", False)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def check(browser, url, text):
    """What is wrong with the page, or None."""
    answer, failed = browser.call("browser_navigate", url=url)
    if failed:
        return answer
    found, failed = browser.call("browser_wait_for", text=text)
    return found if failed else None


def main():
    url, text = sys.argv[1:]
    browser = Browser(os.environ.get("BROWSERD", "browserd"), "--output-dir", "artifacts", "--caps", "devtools")
    browser.call("browser_start_tracing")
    problem = check(browser, url, text)
    if problem:
        browser.call("browser_take_screenshot", filename="artifacts/page.png")
        browser.call("browser_snapshot", filename="artifacts/page.md")
        browser.call("browser_console_messages", level="debug", filename="artifacts/console.log")
    browser.call("browser_stop_tracing")
    browser.close()
    if problem:
        sys.exit(f"{url}: {problem}")
    print(f"{url} shows {text!r}")


if __name__ == "__main__":
    main()
