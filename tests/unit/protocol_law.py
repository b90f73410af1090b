#!/usr/bin/env python3
"""
Only the folders that speak a protocol, CDP or WebDriver BiDi, name its methods and events, read its replies by their paths, and use its words
(reasons of failures, types of resources and of input events, parameters of printing and dragging): all others call the operations of engine
and get structs. No folder names methods of the other protocol.

protocol_law.py SRC
"""

import pathlib
import re
import sys

SPEAKERS = {'engine/cdp': 'CDP', 'engine/bidi': 'BiDi'}
METHODS = {
    'CDP': re.compile(r'"[A-Z][A-Za-z]+\.[a-z][A-Za-z]+"'),
    'BiDi': re.compile(r'"(?:(?:browsingContext|emulation|script)\.[a-z]|(?:browser|network|permissions|storage)\.(?:add|auth|before|continue|create|delete|'
                       r'fail|fetch|get|provide|remove|response|set)|input\.(?:perform|release|set)|session\.(?:new|sub|status))[A-Za-z]+"'),
}
REPLY = re.compile(r'"(?:result|params|targetInfo)\.[^"]*"|"targetInfos?"')
WORDS = re.compile(
    r'"(?:Document|Stylesheet|Image|Media|Font|Script|TextTrack|XHR|Fetch|Prefetch|EventSource|WebSocket|Manifest|Ping|Preflight)"|'
    r'"(?:Failed|Aborted|TimedOut|AccessDenied|Connection[A-Z]\w+|NameNotResolved|InternetDisconnected|AddressUnreachable|BlockedBy\w+)"|'
    r'"(?:mouse(?:Moved|Pressed|Released|Wheel)|(?:rawK|k)ey(?:Down|Up)|drag(?:Enter|Over|Cancel))"|'
    r'dragOperationsMask|printToPDF|paperWidth|base64Encoded|browserContextId|backendNodeId|executionContextId')
# No header outside of a folder shows its connection to whoever includes it.
CONNECTIONS = {'engine/cdp': re.compile(r'\bstruct cdp(?:_\w+)?\b|"engine/cdp/'), 'engine/bidi': re.compile(r'\bstruct bidi(?:_\w+)?\b|"engine/bidi/')}


def main():
    source = pathlib.Path(sys.argv[1])
    found, wrong = 0, []
    for path in sorted(p.relative_to(source) for p in source.rglob('*.[ch]')):
        text = (source / path).read_text()
        speaks = next((protocol for folder, protocol in SPEAKERS.items() if path.is_relative_to(folder)), None)
        if path.suffix == '.h':
            wrong += [f'src/{path} names the connection of {folder}; hand a struct of the folder on instead'
                      for folder, names in CONNECTIONS.items() if not path.is_relative_to(folder) and names.search(text)]
        for number, line in enumerate(text.splitlines(), 1):
            for protocol, methods in METHODS.items():
                found += len(methods.findall(line))
                if protocol != speaks:
                    wrong += [f'src/{path}:{number}: {name} is a method of {protocol}; call an operation of engine' for name in methods.findall(line)]
            if not speaks:
                wrong += [f'src/{path}:{number}: {path_in_reply} is read from a message of a browser; let engine return a struct'
                          for path_in_reply in REPLY.findall(line)]
                wrong += [f'src/{path}:{number}: {word} is a word of CDP; use an enum or a struct of engine'
                          for word in WORDS.findall(line)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{found} names of methods, {len(wrong)} in wrong places')
    return 1 if wrong or not found else 0


if __name__ == '__main__':
    sys.exit(main())
