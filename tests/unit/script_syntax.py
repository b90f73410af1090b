#!/usr/bin/env python3
"""Each page script is a module by itself, as Node reads it. Skipped where Node is not installed."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.scripts import FOLDER, modules  # noqa: E402

SKIPPED = 77


def main():
    node = shutil.which("node")
    if not node:
        print("SKIP script_syntax: node is not installed")
        return SKIPPED
    wrong = 0
    for path in modules():
        checked = subprocess.run([node, "--input-type=module", "--check"], input=path.read_text(encoding="utf-8"), text=True,
                                 capture_output=True, check=False)
        if checked.returncode:
            wrong += 1
            print(f"{path.relative_to(FOLDER)}: {checked.stderr}")
    print(f"{len(modules())} page scripts, {wrong} with errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
