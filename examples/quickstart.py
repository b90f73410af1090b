"""
quickstart.py BROWSERD SCREENSHOT: a minimal MCP client. Starts browserd, exchanges JSON-RPC messages with it over
stdin and stdout, one per line, and drives two sessions on a page that this program serves.
"""
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

PAGE = """<!doctype html><meta charset=utf-8><title>Guest book</title>
<style>body { font: 20px sans-serif; margin: 3em } input, button { font: inherit; padding: .3em }</style>
<h1>Guest book</h1><label>Your name <input id=name></label> <button id=sign>Sign</button><p id=greeting></p>
<script>
document.querySelector('#sign').onclick = () => {
	const name = document.querySelector('#name').value;
	document.cookie = 'guest=' + name;
	localStorage.visits = Number(localStorage.visits ?? 0) + 1;
	document.querySelector('#greeting').textContent = `Welcome ${name}, this is your visit number ${localStorage.visits}.`;
};
</script>""".encode()


class GuestBook(BaseHTTPRequestHandler):
    """Answers every request with the page."""

    wbufsize = -1  # headers and body in one packet

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


class Browserd:
    """A client of one browserd process."""

    def __init__(self, path, *args):
        self.process = subprocess.Popen([path, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.requests = 0

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        """Sends a request and waits for its answer."""
        self.requests += 1
        self.send({"id": self.requests, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.requests:
                break
        else:
            sys.exit("browserd ended; its messages above say why")
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def call(self, tool, **arguments):
        """Calls a tool and returns its answer as a dictionary."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            sys.exit(f"{tool} failed: {result['content'][0]['text']}")
        return result["structuredContent"]

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def main():
    program, screenshot = sys.argv[1], os.path.abspath(sys.argv[2])
    server = HTTPServer(("127.0.0.1", 0), GuestBook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"

    if os.path.exists(screenshot):
        os.remove(screenshot)  # browserd replaces no file that it has not written itself
    browserd = Browserd(program, "--output-dir", os.path.dirname(screenshot))
    about = browserd.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                        "clientInfo": {"name": "quickstart", "version": "1"}})
    browserd.send({"method": "notifications/initialized"})
    tools = [tool["name"] for tool in browserd.ask("tools/list", {})["tools"]]
    print(f"Started {about['serverInfo']['name']} {about['serverInfo']['version']} with the tools {', '.join(tools)}.")

    guests = {name: browserd.call("create_session")["sessionId"] for name in ("Ada", "Grace")}
    for name, session in guests.items():
        print(f"Opened session {session} for {name}.")
    for name, session in guests.items():
        page = browserd.call("navigate", sessionId=session, url=url)
        print(f"{name} opened {page['url']}: \"{page['title']}\", status {page['status']}.")
        browserd.call("type", sessionId=session, selector="#name", text=name)
        browserd.call("click", sessionId=session, selector="#sign")
        print(f"{name} typed a name and clicked Sign.")
    for name, session in guests.items():
        def read(expression):
            return browserd.call("evaluate", sessionId=session, expression=expression)["value"]
        print(f"The page says to {name}: \"{read('document.querySelector(`#greeting`).textContent')}\"")
        cookie, visits = read("document.cookie"), read("localStorage.visits")
        print(f"{name}'s session sees the cookie \"{cookie}\" and {visits} visit in localStorage, nothing of the other one.")
        if (cookie, visits) != (f"guest={name}", "1"):
            sys.exit("The sessions are not isolated!")

    shot = browserd.call("screenshot", sessionId=guests["Ada"], path=screenshot)
    print(f"Saved what Ada sees, {shot['width']} x {shot['height']} pixels, as {os.path.relpath(shot['path'])}.")
    for session in guests.values():
        browserd.call("close_session", sessionId=session)
    status = browserd.close()
    print(f"Closed both sessions; browserd and its browser have ended (status {status}).")
    sys.exit(status)


if __name__ == "__main__":
    main()
