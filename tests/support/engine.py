"""
The engine that tests run on: BROWSERD_ENGINE=firefox runs a file with Firefox, by default it is Chromium. Each server that a test
starts gets it from the environment, unless its own options name a browser.
"""
import os
import pathlib
import re
import shutil
import unittest

PROGRAMS = {"chromium": ("chromium-headless-shell", "chromium", "google-chrome", "microsoft-edge"), "firefox": ("firefox-esr", "firefox")}
# browserd warns of a variable that it does not know, so a program that a test starts, perhaps the test itself, finds the other one alone.
ENGINE = os.environ.pop("BROWSERD_ENGINE", "") or os.environ.get("BROWSERD_BROWSER", "chromium")
PENDING = pathlib.Path(__file__).with_name("pending.txt")
assert ENGINE in PROGRAMS, f"BROWSERD_ENGINE is {ENGINE}, and none of {', '.join(PROGRAMS)}"
if ENGINE != "chromium":
    os.environ["BROWSERD_BROWSER"] = ENGINE


def installed(engine=ENGINE):
    """The first browser of an engine on PATH; None when there is none."""
    return next(filter(shutil.which, PROGRAMS[engine]), None)


def chromium_only(reason):
    """Of a class or a test: skipped with another engine, for a reason that lies in what is tested."""
    return unittest.skipUnless(ENGINE == "chromium", reason)


def by_engine(**values):
    """What the engine in use makes of something in which both are right: by_engine(chromium=..., firefox=...)."""
    return values[ENGINE]


def pending(file):
    """The names of the cases of a file that do not hold with Firefox yet, and why; the reasons stand before them in PENDING."""
    reason, found = None, {}
    for line in PENDING.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"(\w+\.py): (.+)", line):
            reason = head[2] if head[1] == file else None
        elif reason and line.startswith("\t"):
            found.update(dict.fromkeys(line.split(), reason))
    return found


def skip_pending(module, file):
    """Skips what is pending, unless the run is to show what has come to hold by now (TEST_PENDING=1)."""
    if ENGINE == "chromium" or os.environ.get("TEST_PENDING"):
        return
    for name, reason in pending(file).items():
        holder, _, case = name.partition(".")
        found = getattr(module, holder, None)
        assert found and (not case or hasattr(found, case)), f"{name} of {PENDING.name} is no case of {file}"
        setattr(*(found, case) if case else (module, holder), unittest.skip(f"not yet: {reason}")(getattr(found, case) if case else found))


# What the browsers call a failure of the network, as patterns, by Chromium's name.
NETWORK_ERRORS = {
    "net::ERR_CONNECTION_REFUSED": "NS_ERROR_CONNECTION_REFUSED",
    "net::ERR_EMPTY_RESPONSE": "NS_ERROR_NET_RESET",
    "net::ERR_TOO_MANY_REDIRECTS": "NS_ERROR_REDIRECT_LOOP",
    "net::ERR_UNSAFE_PORT": "deniedPortAccess",
    "net::ERR_CERT": "_ERROR_SELF_SIGNED_CERT",
    "net::ERR_ABORTED": "NS_BINDING_ABORTED",
    "net::ERR_INTERNET_DISCONNECTED": "NS_ERROR_OFFLINE",
    r"net::ERR_\w+": r"NS_ERROR_\w+",
}


def network_error(name):
    """A pattern of what the engine in use says of it."""
    return by_engine(chromium=name, firefox=f"({NETWORK_ERRORS[name]})")
