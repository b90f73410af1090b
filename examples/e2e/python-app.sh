#!/bin/sh
# Server command for the Python application in python/: startSession {"commandPath": "/path/to/examples/e2e/python-app.sh"}
here=$(cd "$(dirname "$0")" && pwd)
app=$here/python
run_server() { exec python3 app.py; }
. "$here/server-command.sh"
