#!/usr/bin/env python3
"""Joins page scripts into C string constants: embed.py [--depfile FILE] OUTPUT.c NAME=[lazy:]SCRIPT.js...

The scripts are ES modules. Each program NAME begins with one of them and holds all that it imports, in an order in which modules
come after those that they need. Names are imported as they are. All modules of a program share one function scope, which costs
nothing at run time: where two of them declare the same name, the second one becomes `name$2`, there and where it is imported, which
shows only in the property `name` of a function or class.

A program whose first module has `export default` is an expression, whose value is that: C appends its arguments in parentheses, or
has the browser call it. It is not strict code, as it runs among that of pages. With `lazy:` the program is a getter of the global
`browserd` instead, which runs when the library is first used, so that a document in which nothing is done pays for no more than
its definition; the value of `export default` is the getter's. It holds, besides what its first module imports, every module of that
folder which imports exported.js, to register functions that C calls. Other programs are statements, run at once.

Refused are: circles of imports; imports of files or names that do not exist; names of another module that are used without an
import, even if the browser has them as well, or assigned to; names that are declared twice in a module; exports, imports and
declarations that nothing uses.

Comments and indentation are left out. Characters beyond ASCII are escaped: engines keep and scan such text faster.

A trial with esbuild 0.17, which Debian 12 has, needed 82 lines instead of the 668 of this file and javascript.py, 0.43 s of processor
time instead of 0.71 (minimum of 15 alternating runs), and its texts without blanks were 13 % shorter. A new document takes the
library as fast: 36.3 ms of the renderer's time, and 34.4 with esbuild's; in a second run 61.2 and 60.7 (minima of alternating turns of 16
documents). But a bundler is no linter. Of twelve seeded faults of each kind it reported no name that was used without an import, no
import, export or declaration that nothing used, and 4 misspelt names. This program reports all of the former and 7 of the latter; the
test page_scripts, which reads the modules by javascript.py, the other 5. ESLint 8 has rules for most of them (Debian's version 6
knows no ES2022), and is 101 packages that run in Node, which building and testing browserd does without. With javascript.py for
these checks, esbuild would replace about 100 lines, and be a build tool of 20 MB. It does report syntax errors in the build; here the
test script_syntax finds them. V8 reads no source maps: places() is the one that a test needs.
"""
import argparse
import itertools
import os
import pathlib
import re
import sys

from javascript import ScriptError, joined, read_module

LAZY = ("if (!Object.hasOwn(globalThis, 'browserd')) {\n"
        "Object.defineProperty(globalThis, 'browserd', { configurable: true, get() {\n'use strict';\n",
        "\n} });\n}")
REGISTRY = "exported.js"  # the module in which others register the functions that C calls
FUNCTION = ("(() => {\n", "\n})()")
STATEMENTS = ("(() => {\n'use strict';\n", "\n})();")


class Library:
    """The modules of all programs, each read once, by their paths."""

    def __init__(self):
        self.modules = {}
        self.imported = {}  # path -> names that others import from it

    def read(self, path):
        if path not in self.modules:
            self.modules[path] = read_module(path, pathlib.Path(path).read_text(encoding="utf-8"))
            self.imported[path] = set()
        return self.modules[path]

    def needed(self, path):
        """The paths that the module at `path` imports."""
        for specifier, line in self.read(path).needed:
            target = resolved(path, specifier)
            if not specifier.startswith(".") or not os.path.isfile(target):
                raise ScriptError(f"{path}:{line}: there is no file {specifier}")
            yield target

    def append(self, ordered, path, above=()):
        """Appends the modules that `path` imports to the list `ordered`, then `path`, unless they are in it."""
        if path in above:
            raise ScriptError(f"{path}: import circle: {' -> '.join([*above[above.index(path):], path])}")
        if path in ordered:
            return
        for target in self.needed(path):
            self.append(ordered, target, (*above, path))
        ordered.append(path)

    def order(self, *paths):
        """The modules of a program that needs those at `paths`: each behind those that it imports."""
        ordered = []
        for path in paths:
            self.append(ordered, path)
        return ordered

    def registering(self, path):
        """The modules beside the one at `path` that register functions in exported.js."""
        folder = os.path.dirname(path)
        registry = os.path.join(folder, REGISTRY)
        for other in sorted(pathlib.Path(folder).glob("*.js")):
            if str(other) not in (path, registry) and registry in self.needed(str(other)):
                yield str(other)

    def lazy_order(self, path):
        return self.order(*self.registering(path), path)

    def check_imports(self, path):
        for name, (specifier, line) in self.modules[path].imported.items():
            target = resolved(path, specifier)
            if name not in self.modules[target].exported:
                raise ScriptError(f"{path}:{line}: {specifier} does not export {name}")
            self.imported[target].add(name)

    def check_exports(self):
        for path, module in self.modules.items():
            for name, line in module.exported.items():
                if name not in self.imported[path]:
                    raise ScriptError(f"{path}:{line}: {name} is exported, but no module imports it")


def resolved(path, specifier):
    return os.path.normpath(os.path.join(os.path.dirname(path), specifier))


def check_module(module, owners):
    """`owners`: for the names that the modules of a program declare, which one does."""
    for name, (specifier, line) in module.imported.items():
        if name in module.declared:
            raise ScriptError(f"{module.name}:{line}: {name} is imported and declared")
        if name not in module.used:
            raise ScriptError(f"{module.name}:{line}: {name} is imported from {specifier} and not used")
        if name in module.assigned:
            raise ScriptError(f"{module.name}:{module.assigned[name]}: {name} is imported from {specifier} and cannot be assigned to")
    for name, line in module.used.items():
        if name in owners and name not in module.declared and name not in module.imported:
            raise ScriptError(f"{module.name}:{line}: {name}, which {owners[name]} declares, is used without an import")
    for name, line in module.declared.items():
        if name not in module.used and name not in module.exported:
            raise ScriptError(f"{module.name}:{line}: {name} is declared and not used")


def renames(modules):
    """The names of each module that one before it declares as well, and what they are called instead: path -> {name: new name}."""
    words = {token.text for module in modules for token in module.tokens}
    declared, renamed = set(), {}
    for module in modules:
        names = renamed[module.name] = {}
        for name, (specifier, _) in module.imported.items():
            if name in (there := renamed[resolved(module.name, specifier)]):
                names[name] = there[name]
        for name in declared & module.declared.keys():
            names[name] = next(new for number in itertools.count(2) if (new := f"{name}${number}") not in words)
            words.add(names[name])
        declared |= module.declared.keys()
    return renamed


def program_text(library, path, is_lazy, is_marked=False):
    """The program that begins with the module at `path`; `is_marked`: with the place of each token before it, as Module.texts() has it."""
    order = library.lazy_order(path) if is_lazy else library.order(path)
    for each in order:
        library.check_imports(each)
    modules = [library.modules[each] for each in order]
    owners = {name: module.name for module in reversed(modules) for name in module.declared}
    for module in modules:
        check_module(module, owners)
    renamed = renames(modules)
    first = modules[-1]
    if any(module.default for module in modules[:-1]):
        raise ScriptError(f"{path}: only the first module of a program has a default export")
    *body, last = [module.code(renamed[module.name], "return", is_marked) for module in modules]
    if not first.default:
        return joined([*body, last]).join(STATEMENTS)
    if first.is_only_default and not any(body):
        return f"({last.removeprefix('return ').removesuffix(';')})"
    return joined([*body, last]).join(LAZY if is_lazy else FUNCTION)


def places(library, path):
    """For each line of the text of a program that is not lazy: "file:line" of the module's line which it begins with, or ''."""
    marks = (re.search("\0(.*?)\0", line) for line in program_text(library, path, False, True).split("\n"))
    return [mark[1] if mark else "" for mark in marks]


def escaped(match):
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


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


def c_constant(name, text):
    lines = re.sub(r"[^\x00-\x7f]", escaped, text).split("\n")
    return f"const char {name}[] =\n" + "\n".join("\t" + c_literal(line) for line in lines) + ";\n"


def write_depfile(path, output, library):
    folders = {os.path.dirname(script) for script in library.modules}  # change when a script is added or removed
    scripts = [os.path.abspath(path).replace(" ", "\\ ") for path in [*library.modules, *folders]]
    pathlib.Path(path).write_text(f"{output}: {' '.join(scripts)}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Joins page scripts into C string constants.")
    parser.add_argument("--depfile")
    parser.add_argument("output")
    parser.add_argument("programs", nargs="+", metavar="NAME=[lazy:]SCRIPT.js")
    arguments = parser.parse_args()
    library = Library()
    constants = []
    try:
        for program in arguments.programs:
            name, script = program.split("=", 1)
            path = os.path.relpath(script.removeprefix("lazy:"))
            constants.append(c_constant(name, program_text(library, path, script.startswith("lazy:"))))
        library.check_exports()
    except ScriptError as error:
        sys.exit(str(error))
    text = '/* Made by embed.py. */\n#include "scripts/scripts.h"\n\n' + "\n".join(constants)
    pathlib.Path(arguments.output).write_text(text, encoding="utf-8")
    if arguments.depfile:
        write_depfile(arguments.depfile, arguments.output, library)


if __name__ == "__main__":
    main()
