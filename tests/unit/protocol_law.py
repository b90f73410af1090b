#!/usr/bin/env python3
"""
Only the folder that speaks CDP names its methods and events, reads its replies by their paths, and uses its words (reasons of failures,
types of resources and of input events, parameters of printing and dragging): all others call the operations of engine and get structs, so
that another protocol could stand beside CDP.

protocol_law.py SRC
"""

import pathlib
import re
import sys

SPEAKER = 'engine/cdp'
METHOD = re.compile(r'"[A-Z][A-Za-z]+\.[a-z][A-Za-z]+"')
REPLY = re.compile(r'"(?:result|params|targetInfo)\.[^"]*"|"targetInfos?"')
WORDS = re.compile(
    r'"(?:Document|Stylesheet|Image|Media|Font|Script|TextTrack|XHR|Fetch|Prefetch|EventSource|WebSocket|Manifest|Ping|Preflight)"|'
    r'"(?:Failed|Aborted|TimedOut|AccessDenied|Connection[A-Z]\w+|NameNotResolved|InternetDisconnected|AddressUnreachable|BlockedBy\w+)"|'
    r'"(?:mouse(?:Moved|Pressed|Released|Wheel)|(?:rawK|k)ey(?:Down|Up)|drag(?:Enter|Over|Cancel))"|'
    r'dragOperationsMask|printToPDF|paperWidth|base64Encoded|browserContextId|backendNodeId|executionContextId')
# No header outside of that folder shows the connection to whoever includes it.
CONNECTION = re.compile(r'\bstruct cdp(?:_\w+)?\b|"engine/cdp/')


def main():
    source = pathlib.Path(sys.argv[1])
    found, wrong = 0, []
    for path in sorted(p.relative_to(source) for p in source.rglob('*.[ch]')):
        for number, line in enumerate((source / path).read_text().splitlines(), 1):
            methods = METHOD.findall(line)
            found += len(methods)
            if not path.is_relative_to(SPEAKER):
                wrong += [f'src/{path}:{number}: {name} is a method of CDP; call an operation of engine'
                          for name in methods]
                wrong += [f'src/{path}:{number}: {path_in_reply} is read from a message of CDP; let engine return a struct'
                          for path_in_reply in REPLY.findall(line)]
                wrong += [f'src/{path}:{number}: {word} is a word of CDP; use an enum or a struct of engine'
                          for word in WORDS.findall(line)]
    wrong += [f'src/{path} names the connection to CDP; hand a struct of the folder on instead'
              for path in sorted(p.relative_to(source) for p in source.rglob('*.h'))
              if not path.is_relative_to(SPEAKER) and CONNECTION.search((source / path).read_text())]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{found} names of methods, {len(wrong)} outside of {SPEAKER}')
    return 1 if wrong or not found else 0


if __name__ == '__main__':
    sys.exit(main())
