#!/usr/bin/env python3
"""
Writes the files of a folder as a table of C (files.h).

embed_page.py [--depfile FILE] OUTPUT.c FOLDER
"""
import argparse
import os
import pathlib
import sys

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
LINE = 20  # bytes in a line


def c_bytes(data):
    lines = (data[at:at + LINE] for at in range(0, len(data), LINE))
    return "\n".join('\t"' + "".join(f"\\x{byte:02x}" for byte in line) + '"' for line in lines) or '\t""'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--depfile")
    parser.add_argument("output")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    files = sorted(path for path in arguments.folder.iterdir() if not path.name.startswith("."))
    if unknown := [path.name for path in files if path.suffix not in TYPES]:
        sys.exit(f"{arguments.folder}: no media type is known for {', '.join(unknown)}: add it to embed_page.py")
    rows = (f'\t{{ "{path.name}", "{TYPES[path.suffix]}",\n{c_bytes(path.read_bytes())},\n\t{path.stat().st_size} }},\n' for path in files)
    text = '/* Made by embed_page.py. */\n#include "people/files.h"\n\nconst struct page_file page_files[] = {\n' + "".join(rows) + "\t{}\n};\n"
    pathlib.Path(arguments.output).write_text(text, encoding="ascii")
    if arguments.depfile:
        read = [os.path.abspath(path).replace(" ", "\\ ") for path in [*files, arguments.folder]]  # the folder changes when a file is added
        pathlib.Path(arguments.depfile).write_text(f"{arguments.output}: {' '.join(read)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
