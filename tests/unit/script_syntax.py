#!/usr/bin/env python3
"""Each page script, and each script of the live view's page, is a module by itself, as Node reads it. Skipped where Node is not installed."""
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.scripts import FOLDER, PAGE, modules  # noqa: E402

SKIPPED = 77
# Names the scripts that are no modules. One process parses all of them: it takes longer to start than to parse.
CHECK = """
import fs from 'node:fs';
import vm from 'node:vm';
const wrong = [];
for (const [identifier, text] of Object.entries(JSON.parse(fs.readFileSync(0, 'utf8')))) {
    try {
        new vm.SourceTextModule(text, { identifier });
    } catch {
        wrong.push(identifier);
    }
}
console.log(JSON.stringify(wrong));
"""


def main():
    node = shutil.which("node")
    if not node:
        print("SKIP script_syntax: node is not installed")
        return SKIPPED
    scripts = {str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8") for path in modules()}
    scripts |= {f"people/{path.name}": path.read_text(encoding="utf-8") for path in PAGE.glob("*.js")}
    checked = subprocess.run([node, "--no-warnings", "--experimental-vm-modules", "--input-type=module", "--eval", CHECK],
                             input=json.dumps(scripts), text=True, stdout=subprocess.PIPE, check=True)
    wrong = json.loads(checked.stdout)
    for name in wrong:
        described = subprocess.run([node, "--input-type=module", "--check"], input=scripts[name], text=True, capture_output=True, check=False)
        print(f"{name}: {described.stderr}")
    print(f"{len(scripts)} page scripts, {len(wrong)} with errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
