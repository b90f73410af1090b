"""
Properties 2, 7, 8, 9 and 10: what is configured is what happens. Each case is a server of its own, configured by
command line or environment.
"""
import os
import subprocess
import tempfile
import time

from support.case import BrowserdCase, main
from support.chromium import Chromium
from support.client import PATIENCE, Client, binary
from support.generate import for_all

# Stands in for a browser: leaves its arguments in $RECORD and ends.
RECORDER = "#!/bin/sh\necho \"$*\" >\"$RECORD\"\nexit 1\n"


def spelled(option, value, by_environment):
    """(arguments, environment) that set an option."""
    if by_environment:
        return [], {"BROWSERD_" + option.upper().replace("-", "_"): str(value)}
    return [f"--{option}", str(value)], {}


class Configuration(BrowserdCase):
    def serve(self, *settings):
        args, env = [], {}
        for more_args, more_env in settings:
            args += more_args
            env |= more_env
        client = Client(*args, env=env)
        self.addCleanup(client.discard)
        return client

    def test_2_9_10_timeout_and_limit(self):
        browser = Chromium()  # all servers share it, because starting one for each case takes most of the time
        self.addCleanup(browser.close)

        def check(case):
            client = self.serve((["--cdp-endpoint", browser.endpoint], {}), spelled("session-timeout", case["timeout"], case["env"]),
                                spelled("max-sessions", case["max"], not case["env"]))
            before = time.time() * 1000
            answers = [client.call("create_session") for _ in range(case["max"])]
            after = time.time() * 1000
            self.assertEqual(client.fail("create_session").code, "MAX_SESSIONS_REACHED")
            listed = client.call("list_sessions")
            self.assertEqual((listed["count"], listed["maxSessions"]), (case["max"], case["max"]))
            for entry, answer in zip(listed["sessions"], answers):
                self.assertEqual(entry["expiresAt"], answer["expiresAt"])
                self.assertEqual(answer["expiresAt"] - entry["createdAt"], case["timeout"])
                self.assertTrue(before - 1 <= entry["createdAt"] <= after + 1)
            client.close()
            client.discard()
        # The shortest is long enough for the case to end before a session does.
        for_all(lambda chance: {"timeout": chance.choice((chance.randint(60000, 600000), chance.randint(60000, 86400000))),
                                "max": chance.choice((1, 1, 2, 3)), "env": chance.random() < 0.5},
                check, valid=lambda case: case["timeout"] >= 60000 and case["max"] >= 1)

    def test_7_browser_type(self):
        """chromium serves, in any case; one that cannot be stops the start and says so; anything else is refused by name."""
        def check(case):
            (args, env), name = spelled("browser", case["name"], case["env"]), case["name"]
            if name.lower() in ("chromium", "auto"):
                client = self.serve((args, env))
                self.assertEqual(client.call("list_sessions")["count"], 0)
                client.close()
                client.discard()
                return
            result = subprocess.run([binary(), *args], env={**os.environ, **env}, stdin=subprocess.DEVNULL, capture_output=True,
                                    text=True, timeout=PATIENCE, check=False)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(name, result.stderr)
            self.assertIn("chromium", result.stderr)
            self.assertIn("not" if name == "webkit" else "Invalid", result.stderr)
        for_all(lambda chance: {"name": chance.choice(("chromium", "auto", "webkit", "opera", "Chromium", "chromium2", "x")),
                                "env": chance.random() < 0.5}, check, valid=lambda case: len(case["name"]) > 3)

    def test_8_headless(self):
        with tempfile.TemporaryDirectory() as folder:
            program, record = os.path.join(folder, "recorder"), os.path.join(folder, "record")
            with open(program, "w", encoding="utf-8") as file:
                file.write(RECORDER)
            os.chmod(program, 0o755)

            def check(case):
                setting = {"flag": (["--headless" if case["headless"] else "--headed"], {}),
                           "value": ([f"--headless={str(case['headless']).lower()}"], {}),
                           "environment": ([], {"HEADLESS": str(case["headless"]).lower()}),
                           "own environment": ([], {"BROWSERD_HEADLESS": str(case["headless"]).lower()})}[case["by"]]
                client = self.serve((["--executable-path", program], {"RECORD": record}), setting)
                client.fail("create_session")
                with open(record, encoding="utf-8") as file:
                    self.assertEqual("--headless" in file.read(), case["headless"])
                client.close()
                client.discard()
            ways = ("flag", "value", "environment", "own environment")
            for_all(lambda chance: {"headless": chance.random() < 0.5, "by": chance.choice(ways)}, check,
                    valid=lambda case: case["by"] in ways)


if __name__ == "__main__":
    main()
