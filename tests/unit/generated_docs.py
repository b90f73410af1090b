"""docs/tools.md, docs/options.md and docs/engines.md are what the program prints: generated_docs.py BROWSERD DOCS"""
import pathlib
import subprocess
import sys

def differs(program, page, path):
    expected = subprocess.run([program, "--markdown", page], capture_output=True, text=True, check=True).stdout
    found = path.read_text(encoding="utf-8") if path.exists() else ""
    if found == expected:
        return False
    print(f"{path} is out of date: browserd --markdown {page} > docs/{path.name}")
    for old, new in zip(found.splitlines(), expected.splitlines()):
        if old != new:
            print(f"first difference:\n- {old}\n+ {new}")
            break
    return True

def says_nothing(path):
    """Rows of tables of parameters whose last cell is empty."""
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|") and line.endswith("| |")]
    for row in rows:
        print(f"{path}: {row} does not say what the parameter means: give it a description, or one for this page (struct param)")
    return bool(rows)

def main():
    program, docs = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.exit(any([differs(program, page, docs / f"{page}.md") for page in ("tools", "options", "engines")] + [says_nothing(docs / "tools.md")]))

main()
