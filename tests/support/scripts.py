"""The page scripts and the program that joins them (embed.py), for tests of both."""
import os
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
FOLDER = next(SOURCE.rglob("embed.py")).parent
PAGE = SOURCE / "people" / "page"  # of the live view
sys.path.insert(0, str(FOLDER))
import embed  # noqa: E402
import javascript  # noqa: E402

__all__ = ["FOLDER", "PAGE", "SOURCE", "embed", "javascript", "modules", "program"]


def modules():
    """The paths of all page scripts."""
    return sorted(FOLDER.rglob("*.js"))


def program(folder, imports):
    """
    An expression for an object with the functions {file: [name...]} of the page scripts, and the places of its lines (embed.places()).
    Its first module lies in `folder`.
    """
    first = pathlib.Path(folder, "first.js")
    lines = [f"import {{ {', '.join(names)} }} from './{os.path.relpath(FOLDER / file, folder)}';\n" for file, names in imports.items()]
    every = ", ".join(name for names in imports.values() for name in names)
    first.write_text(f"{''.join(lines)}export default {{ {every} }};\n", encoding="utf-8")
    library = embed.Library()
    return embed.program_text(library, str(first), False), embed.places(library, str(first))
