#!/usr/bin/env python3
"""Prints server.json, which describes this server for the MCP registry: server_json.py DIST VERSION [ADDRESS]

It names the npm package, and the MCP bundles in the folder DIST with their SHA-256. ADDRESS is where the release's files will be."""

import hashlib
import json
import pathlib
import sys

SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
NAME = 'io.github.browserd/browserd'  # as `mcpName` of the npm package, by which the registry knows that both have one owner
ADDRESS = 'https://github.com/browserd/browserd/releases/download/v{version}'
STDIO = {'type': 'stdio'}


def npm_package(version):
    return {'registryType': 'npm', 'identifier': 'browserd', 'version': version, 'runtimeHint': 'npx', 'transport': STDIO}


def bundle(path, address):
    return {'registryType': 'mcpb', 'identifier': f'{address}/{path.name}', 'fileSha256': hashlib.sha256(path.read_bytes()).hexdigest(),
            'transport': STDIO}


def server(dist, version, address):
    return {
        '$schema': SCHEMA, 'name': NAME, 'title': 'browserd', 'version': version,
        'description': 'Gives agents a browser: isolated sessions on one Chromium, without Node',
        'packages': [npm_package(version)] + [bundle(path, address) for path in sorted(dist.glob(f'browserd-{version}-*.mcpb'))],
    }


def main():
    dist, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    address = sys.argv[3] if len(sys.argv) > 3 else ADDRESS.format(version=version)
    print(json.dumps(server(dist, version, address), indent='\t'))


if __name__ == '__main__':
    main()
