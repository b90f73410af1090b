#!/usr/bin/env python3
"""Page scripts name the reasons of their failures: each name has words in base/reasons.h, and no row there is unused."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.scripts import modules  # noqa: E402

ROW = re.compile(r'X\(\w+, "(\w+)"')
THROWN = re.compile(r"new Failure\('\w+', '(\w+)'")
TEXT = re.compile(r"new Failure\('\w+',\s*([`\"].*)|new Obstacle\(([`'\"].*)")
NAMED = re.compile(r"reason: '(\w+)'")


def main():
    source = pathlib.Path(sys.argv[1], "base/reasons.h").read_text(encoding="utf-8")
    known = set(ROW.findall(source))
    scripts = {path.name: path.read_text(encoding="utf-8") for path in modules()}
    wrong = []
    for name, text in scripts.items():
        wrong += [f"{name}: a failure has a text instead of a reason: {''.join(found)}" for found in TEXT.findall(text)]
        named = set(THROWN.findall(text) + NAMED.findall(text))
        wrong += [f"{name}: base/reasons.h has no reason {reason}" for reason in sorted(named - known)]
    every = "".join(scripts.values())
    wrong += [f"base/reasons.h: no page script fails because of {reason}" for reason in sorted(known) if f"'{reason}'" not in every]
    print(*wrong, f"{len(known)} reasons of page scripts, {len(wrong)} complaints", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
