"""Reads CDP calls out of C source: method names, and the names in the parameter literals that follow them."""
import re

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\s+|\w+|.', re.S)
METHOD = re.compile(r"[A-Z][A-Za-z]+\.[a-z][A-Za-z]+")
# Of a str_json() template: a name with its colon, a string, a bracket, or a value that is passed.
PART = re.compile(r"""\s*(?:(?P<name>[\w$/.-]+)\s*:|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?P<colon>\s*:)?"""
                  r"""|(?P<mark>[{}\[\],])|(?P<value>\?|[\w.+-]+))""")
UNKNOWN = object()  # a value that is passed in, which may be anything


def tokens(source):
    """(kind, text, line) of strings, joined when adjacent or with a macro between them, and of every other sign."""
    found, line = [], 1
    for match in TOKEN.finditer(source):
        text = match.group()
        if text[0] == '"':
            if len(found) > 1 and found[-2][0] == "string" and found[-1][1].isidentifier():
                macro = found.pop()
                found[-1] = ("string", found[-1][1] + macro[1], found[-1][2])
            if found and found[-1][0] == "string":
                found[-1] = ("string", found[-1][1] + text[1:-1], found[-1][2])
            else:
                found.append(("string", text[1:-1], line))
        elif not (text.isspace() or text.startswith(("/*", "//"))):
            found.append(("sign", text, line))
        line += text.count("\n")
    return found


def calls(source):
    """(method, parameter literals, line) for every method or event name that stands in the source."""
    all_tokens = tokens(source)
    for index, (kind, text, line) in enumerate(all_tokens):
        if kind == "string" and METHOD.fullmatch(text):
            yield text, list(_literals(all_tokens[index + 1:])), line


def _literals(rest):
    """The object literals up to the end of the call."""
    depth = 0
    for kind, text, _ in rest:
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text, 0) if kind == "sign" else 0
        if depth < 0 or text == ";":
            return
        if kind == "string" and METHOD.fullmatch(text):
            return
        if kind == "string" and text.startswith("{"):
            yield text


def parse(literal):
    """A str_json() template as dictionaries and lists; values as UNKNOWN."""
    parts = [match for match in PART.finditer(literal.replace('\\"', '"')) if match.group().strip()]
    value, rest = _value(parts)
    assert not rest, f"cannot read {literal}"
    return value


def _value(parts):
    first = parts[0]
    if first["mark"] == "{":
        return _members(parts[1:])
    if first["mark"] == "[":
        return _elements(parts[1:])
    return UNKNOWN, parts[1:]


def _members(parts):
    members = {}
    while parts[0]["mark"] != "}":
        if parts[0]["mark"] == ",":
            parts = parts[1:]
            continue
        if parts[0]["name"] is None and parts[0]["text"] is None:  # further members, as raw text
            parts = parts[1:]
            continue
        name = parts[0]["name"] or parts[0]["text"][1:-1]
        members[name], parts = _value(parts[1:])
    return members, parts[1:]


def _elements(parts):
    elements = []
    while parts[0]["mark"] != "]":
        if parts[0]["mark"] == ",":
            parts = parts[1:]
            continue
        element, parts = _value(parts)
        elements.append(element)
    return elements, parts[1:]
