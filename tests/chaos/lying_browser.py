"""
Starts the browser `argv[3:]` with pipes of its own as descriptors 3 and 4 and passes messages on between them and those of this process,
the browser's made wrong (liar.py). argv[1]: the seed, argv[2]: the rate.
"""
import json
import os
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from liar import Liar  # noqa: E402, it lies beside


def messages(source):
    rest = b""
    while part := os.read(source, 1 << 16):
        *whole, rest = (rest + part).split(b"\0")
        yield from whole


def write(sink, data):
    while data:
        data = data[os.write(sink, data):]


def pass_on(source, sink, change):
    try:
        for message in messages(source):
            for told in change(message):
                write(sink, told + b"\0")
    except OSError:
        pass  # the other side has ended


def main():
    commands, answers = os.dup(3), os.dup(4)
    (to_browser, to), (come, from_browser) = (os.pipe()[::1] for _ in range(2))
    os.dup2(to_browser, 3)
    os.dup2(from_browser, 4)
    browser = subprocess.Popen(sys.argv[3:], pass_fds=(3, 4))
    for fd in (3, 4, to_browser, from_browser):
        os.close(fd)
    liar = Liar(sys.argv[1], float(sys.argv[2]))
    threading.Thread(target=pass_on, args=(commands, to, lambda message: [message]), daemon=True).start()
    pass_on(come, answers, lambda message: [told if isinstance(told, bytes) else json.dumps(told).encode() for told in liar(json.loads(message))])
    browser.kill()
    os._exit(browser.wait())


main()
