#!/bin/sh
# Server command for the Node application in node/: startSession {"commandPath": "/path/to/examples/e2e/node-app.sh"}
here=$(cd "$(dirname "$0")" && pwd)
app=$here/node
run_server() { exec node app.js; }
. "$here/server-command.sh"
