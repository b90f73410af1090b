"""Every CDP method, event and parameter name in the source is one that the installed browser knows."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.request

from support import csource
from support.case import main, skip

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "src")
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome", "microsoft-edge")


def served_protocol(browser):
    """What the browser says about itself at /json/protocol."""
    with tempfile.TemporaryDirectory() as profile, subprocess.Popen(
            [browser, "--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
            stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            address = next(match for match in map(re.compile(r"ws://([^/]+)/").search, process.stderr) if match)[1]
            with urllib.request.urlopen(f"http://{address}/json/protocol") as answer:
                return json.load(answer)
        finally:
            os.killpg(process.pid, 9)


class Protocol:
    """Look-ups in the browser's description."""

    def __init__(self, description):
        self.commands, self.events, self.types = {}, set(), {}
        for domain in description["domains"]:
            name = domain["domain"]
            self.events |= {f"{name}.{event['name']}" for event in domain.get("events", ())}
            self.types |= {f"{name}.{kind['id']}": kind for kind in domain.get("types", ())}
            self.commands |= {f"{name}.{command['name']}": command.get("parameters", []) for command in domain["commands"]}

    def mistakes(self, method, literal):
        if method not in self.commands:
            return [f"{method} is an event and takes no parameters"]
        given = csource.parse(literal)
        if not isinstance(given, dict):  # the parameters are written elsewhere
            return []
        return list(self._members(given, self.commands[method], method, method.partition(".")[0]))

    def _members(self, given, known, path, domain):
        by_name = {parameter["name"]: parameter for parameter in known}
        for name, value in given.items():
            if name not in by_name:
                yield f"{path} has no parameter {name}"
            else:
                yield from self._value(value, by_name[name], f"{path} {name}", domain)
        for name, parameter in by_name.items():
            if not parameter.get("optional") and name not in given:
                yield f"{path} lacks {name}"

    def _value(self, value, kind, path, domain):
        if "$ref" in kind:
            name = kind["$ref"] if "." in kind["$ref"] else f"{domain}.{kind['$ref']}"
            kind, domain = self.types[name], name.partition(".")[0]
        if isinstance(value, dict) and "properties" in kind:
            yield from self._members(value, kind["properties"], path, domain)
        elif isinstance(value, list) and "items" in kind:
            for element in value:
                yield from self._value(element, kind["items"], path, domain)


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.protocol = Protocol(served_protocol(next(filter(None, map(shutil.which, BROWSERS)))))
        cls.calls = []
        for path in glob.glob(os.path.join(SOURCE, "**", "*.[ch]"), recursive=True):
            with open(path, encoding="utf-8") as file:
                cls.calls += [(f"{os.path.relpath(path, SOURCE)}:{line}", method, literals)
                              for method, literals, line in csource.calls(file.read())]

    def test_there_is_something_to_check(self):
        methods = {method for _, method, _ in self.calls}
        self.assertLessEqual({"Page.navigate", "Input.dispatchMouseEvent", "Target.createBrowserContext"}, methods)
        self.assertGreater(sum(bool(literals) for _, _, literals in self.calls), 15)

    def test_methods_and_events(self):
        known = self.protocol.commands.keys() | self.protocol.events
        self.assertEqual([f"{where}: {method}" for where, method, _ in self.calls if method not in known], [])

    def test_parameters(self):
        wrong = [f"{where}: {mistake}" for where, method, literals in self.calls for literal in literals
                 if method in self.protocol.commands for mistake in self.protocol.mistakes(method, literal)]
        self.assertEqual(wrong, [])

    def test_the_check_finds_mistakes(self):
        """The checker itself, on source that is wrong."""
        source = '''cdp_call(t, s, &r, "Input.dispatchMouseEvent", "{type: 'x', x: %f, z: %f, "
                    "button: %s}", a /* "Not.this" */, b);'''
        (method, literals, line), = csource.calls(source)
        self.assertEqual((method, line), ("Input.dispatchMouseEvent", 1))
        self.assertEqual(self.protocol.mistakes(method, literals[0]),
                         ["Input.dispatchMouseEvent has no parameter z", "Input.dispatchMouseEvent lacks y"])


if __name__ == "__main__":
    if not any(map(shutil.which, BROWSERS)):
        skip("no Chromium is installed")
    main()
