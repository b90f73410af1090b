#!/usr/bin/env python3
"""
The modules of the live view's page (src/people/page): each import names a file and an export that exist, each export is used, each name
is declared, imported, or one that the browser has; nothing makes elements of text or code of strings, and no address leads elsewhere.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.scripts import javascript  # noqa: E402

BROWSER = set("""
    AbortController AbortSignal Array ArrayBuffer Blob Boolean DataView Date DOMException Error Event EventTarget Infinity Intl IntersectionObserver
    JSON KeyboardEvent Map Math NaN Number Object OffscreenCanvas Promise Proxy Reflect RegExp ResizeObserver Set String Symbol TextDecoder
    TextEncoder TypeError URL URLSearchParams Uint8Array WeakMap WebSocket addEventListener cancelAnimationFrame clearInterval clearTimeout
    CustomEvent createImageBitmap decodeURIComponent devicePixelRatio document encodeURIComponent fetch history innerHeight innerWidth isNaN localStorage location
    matchMedia navigator parseFloat parseInt performance queueMicrotask requestAnimationFrame sessionStorage setInterval setTimeout
    structuredClone undefined window""".split())
FORBIDDEN = re.compile(r"\b(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|parseFromString|srcdoc|eval|Function|"
                       r"document\.write|setHTMLUnsafe)\b")
ELSEWHERE = re.compile(r"""['"(=]\s*(?:https?:)?//[a-z]""")  # but for namespaces, which nothing is loaded from
LAZY = re.compile(r"import\('/view/([\w.]+)'\)")


class Page:
    def __init__(self, folder):
        self.texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
        self.modules = {name: javascript.read_module(name, text) for name, text in self.texts.items() if name.endswith(".js")}
        self.problems = []
        self.lazy = {name for text in self.texts.values() for name in LAZY.findall(text)}

    def complain(self, name, line, text):
        self.problems.append(f"{name}:{line}: {text}")

    def check_imports(self, name, module):
        for specifier, line in module.needed:
            if specifier.removeprefix("./") not in self.modules:
                self.complain(name, line, f"there is no module {specifier}")
        for imported, (specifier, line) in module.imported.items():
            source = self.modules.get(specifier.removeprefix("./"))
            if source and imported not in source.exported:
                self.complain(name, line, f"{specifier} does not export {imported}")
            if imported not in module.used:
                self.complain(name, line, f"nothing uses {imported}")

    def check_names(self, name, module):
        for used, line in module.used.items():
            if used not in module.declared and used not in module.imported and used not in BROWSER:
                self.complain(name, line, f"{used} is neither declared nor imported")
        for declared, line in module.declared.items():
            if declared not in module.used and declared not in module.exported:
                self.complain(name, line, f"nothing uses {declared}")

    def check_exports(self, name, module):
        if name in self.lazy:
            return
        wanted = {imported for other in self.modules.values() for imported, (specifier, _) in other.imported.items()
                  if specifier.removeprefix("./") == name}
        for exported, line in module.exported.items():
            if exported not in wanted:
                self.complain(name, line, f"no module imports {exported}")

    def check_text(self, name, text):
        for number, line in enumerate(text.splitlines(), 1):
            found = FORBIDDEN.search(line)
            if found and not name.endswith(".css"):
                self.complain(name, number, f"{found.group(1)} makes elements or code of text")
            if ELSEWHERE.search(line) and "http://www.w3.org/" not in line:
                self.complain(name, number, "an address that leads to another server")
            if name.endswith(".html") and re.search(r"\s(style|on\w+)=", line):
                self.complain(name, number, "the Content-Security-Policy forbids styles and listeners in attributes")

    def check(self):
        for name, text in self.texts.items():
            self.check_text(name, text)
        for name, module in self.modules.items():
            self.check_imports(name, module)
            self.check_names(name, module)
            self.check_exports(name, module)
        return self.problems


def main():
    page = Page(pathlib.Path(sys.argv[1]))
    problems = page.check()
    print("\n".join(problems))
    print(f"{len(page.texts)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
