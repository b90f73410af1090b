"""
A client to be killed whose server reads from the named pipe argv[1], which the shell that started this keeps open.
Prints the server's temporary folder once a session shows a page.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile

from support.client import binary


def main():
    home = tempfile.mkdtemp(prefix="browserd-test-")
    with open(sys.argv[1], "r+b", buffering=0) as pipe:
        server = subprocess.Popen([binary()], stdin=pipe, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "TMPDIR": home})

        def ask(ident, method, params):
            pipe.write(json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params}).encode() + b"\n")
            return json.loads(server.stdout.readline())

        ask(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}})
        ask(2, "tools/call", {"name": "create_session", "arguments": {}})
        print(home, flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
