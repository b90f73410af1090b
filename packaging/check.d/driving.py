"""What the checks of this folder share: a line for each expectation, and the official client (drive.mjs)."""

import json
import os
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / 'drive.mjs'
SDK = os.environ['MCP_SDK']


def has_client():
    return pathlib.Path(SDK, 'node_modules').is_dir()


def expect(condition, what):
    if not condition:
        sys.exit(f'FAILED: {what}')
    print(f'ok: {what}')


def drive(command, *, prefix=(), script=SCRIPT, sdk=SDK, **options):
    """Starts a server with the client and opens a page; returns what drive.mjs prints. `prefix` starts the client."""
    result = subprocess.run([*prefix, 'node', script, sdk, *map(str, command)], capture_output=True, text=True, check=False, timeout=600,
                            **options)
    if result.returncode:
        sys.exit(f'FAILED: {command}: {result.stdout}{result.stderr}')
    return json.loads(result.stdout)
