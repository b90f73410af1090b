#!/usr/bin/env python3
"""Joins page scripts into one C string constant: embed.py NAME OUTPUT.c SCRIPT.js...

Convention for the scripts: each file is plain ES2022 text, all share one function scope in the order given, and a
function that C may call is registered by `exported.name = function`. No statement may depend on leading blanks
(multi-line template literals), because lines that hold only a comment, and indentation, are left out. A name that
two files declare is an error: the later function would silently replace the earlier one.

The scope is that of a getter which runs when the library is first used, so that a document in which nothing is done
pays for no more than its definition. Characters beyond ASCII are escaped: engines keep and scan such text faster.
"""
import pathlib
import re
import sys

PAGE_OPENING = [
    "if (!Object.hasOwn(globalThis, 'browserd')) {",
    "Object.defineProperty(globalThis, 'browserd', { configurable: true, get() {",
    "'use strict';",
    "const exported = Object.create(null);",
]
PAGE_END = [
    "const library = guarded(exported);",
    "Object.defineProperty(globalThis, 'browserd', { value: library });",
    "return library;",
    "} });",
    "}",
]
CODE_OPENING = ["(() => {", "'use strict';", "const exported = Object.create(null);"]
CODE_END = ["globalThis.browserd = exported;", "})();"]
# What stands around the scripts, by the name of the text.
FRAMES = {
    "page_scripts": (PAGE_OPENING, PAGE_END),
    "code_scripts": (CODE_OPENING, CODE_END),
    "value_scripts": ([], []),
    "listeners_script": (["((name, listenersOf) => {"], ["})"]),
    "shown_script": (["(limit => {"], ["return shownPage(limit);", "})"]),
}
DECLARATION = re.compile(r"^(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


def escaped(match):
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def code_lines(text):
    """The lines of `text` without indentation, blank lines and lines that are only comment."""
    in_comment = False
    for line in text.splitlines():
        line = line.strip()
        if in_comment or line.startswith("/*"):
            in_comment = "*/" not in line
        elif line and not line.startswith("//"):
            yield re.sub(r"[^\x00-\x7f]", escaped, line)


def check_names(texts):
    owner = {}
    for script, text in texts.items():
        for name in DECLARATION.findall(text):
            if name in owner:
                sys.exit(f"{script}: {name} is declared in {owner[name]} as well")
            owner[name] = script


def c_literal(line):
    out = []
    for character in line:
        if character in '"\\?':
            out.append("\\" + character)
        elif " " <= character <= "~":
            out.append(character)
        else:
            out.append(f"\\{ord(character):03o}")
    return '"' + "".join(out) + '\\n"'


def main():
    name, output, *scripts = sys.argv[1:]
    prologue, epilogue = FRAMES[name]
    texts = {script: pathlib.Path(script).read_text(encoding="utf-8") for script in scripts}
    check_names(texts)
    lines = list(prologue)
    for text in texts.values():
        lines += code_lines(text)
    lines += epilogue
    sources = " ".join(pathlib.Path(script).name for script in scripts)
    with open(output, "w", encoding="utf-8") as out:
        out.write(f"/* Made by embed.py from {sources}. */\n")
        out.write('#include "browser/js/scripts.h"\n\n')
        out.write(f"const char {name}[] =\n")
        out.write("\n".join("\t" + c_literal(line) for line in lines) + ";\n")


if __name__ == "__main__":
    main()
