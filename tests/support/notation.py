"""A strict parser of compact answers (docs/answers.md): what it takes for notation is what a reader may take for it."""
import json
import re

NAME = r"(?:f\d+)?[ecr]\d+"
REF = r"(?:f\d+)?e\d+"
STATES = ("active", "checked", "disabled", "expanded", "invalid", "pressed", "selected", "aria-hidden", "clickable", "draggable", "drop-target",
          "canvas", "level", "box", "size", "fill", "color", "as", "in", "collapsed", "current", "sort", "busy", "required", "readonly", "min", "max",
          "activedescendant", "file", "hint")
ROLES = set("""alert alertdialog application article banner blockquote button canvas caption cell checkbox clickable code columnheader combobox
complementary contentinfo definition deletion dialog document emphasis feed figure form generic graphics-document graphics-symbol grid gridcell group
h1 h2 h3 h4 h5 h6 iframe image img input insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search
searchbox separator slider spinbutton status strong subscript summary superscript switch tab table tablist tabpanel term textbox time timer toolbar
tooltip tree treegrid treeitem audio embed object video""".split())
QUOTE = "\x02"  # stands for a text in quotes while the rest of a line is looked at; no answer has it
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
INVISIBLE = re.compile("[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]")
NOTE = re.compile(r"… (?:[\d,]+ more [a-z]+(?:; sections: .*)?|[\d,]+ more, (?:the first of them with )?)(?:, )?cursor (c\d+)$")
LABEL = re.compile(rf"(?P<role>[a-z][a-z0-9-]*)?(?P<name> ?{QUOTE})?(?P<ref> {REF})?(?P<rest>(?: (?:{'|'.join(STATES)})(?:=[^ ]*)?| r\d+| \([^()]*\))*)"
                   rf"(?: -> (?:{QUOTE}|[^ ]+))?(?: placeholder={QUOTE})?(?: \.\.\.)?$")


class Forged(AssertionError):
    pass


class Answer:
    """What an answer says in notation: (role, ref) of its labels, refs, cursors and revisions."""

    def __init__(self, text):
        self.labels, self.cursors, self.revisions, self.results, self.rows = [], [], [], [], 0
        self.is_difference = False  # its lines have marks; in a view, - is an empty cell
        if found := UNPRINTABLE.search(text):
            raise Forged(f"{found[0]!r} in {text!r}")
        self.parse(text)

    @property
    def refs(self):
        return [ref for _, ref in self.labels if ref]

    def parse(self, text):
        """Errors and results come first, then states, then the page. Fences and indented lines of a result are text."""
        lines, shows_page, fence, in_error = text.split("\n"), False, None, False
        for line in lines:
            if fence:
                fence = None if line == fence else fence
            elif found := re.match("(`{3,})[a-z]*$", line):
                fence = found[1]
            elif line.startswith("Error: ") and not shows_page and not in_error:
                in_error = True
            elif in_error and (line.startswith("  ") or not line):
                pass
            elif not shows_page and line.startswith(" "):
                self.results.append(line)
            elif self.state(line):
                in_error = False
            elif self.begin_page(line):
                shows_page, in_error = True, False
            elif shows_page:
                self.row(line)
            else:
                in_error = False
                self.results.append(line)

    def begin_page(self, line):
        if not re.match(r"r\d|Nothing changed|[\d,]+ match|No match", line):
            return False
        bare = self.bare(line)
        if found := re.match(rf"r(\d+)(?: (?:{QUOTE}|[^ {QUOTE}]+)(?: {QUOTE})?)?(?:, changed since r\d+:(?: nothing else)?)?$", bare):
            self.revisions.append(int(found[1]))
            self.is_difference = "changed since" in bare
            return True
        return re.match(r"Nothing changed since r\d+(\.$| but [\d,]+ lines? by )", bare) or re.match(r"[\d,]+ match(es)? for |No match for ", bare)

    def state(self, line):
        if not re.match(r"console:|HTTP status|The navigation failed|A navigation failed|Nothing here opens |- \[|Download|tabs:|- \d+:", line):
            return False
        bare = self.bare(line)
        return re.match(rf"console: \d+ errors?, \d+ warnings?(, first {QUOTE})? \(browser_console_messages\)$|(The|A) navigation failed: .*$|Nothing here opens .*$|HTTP status: \d+( {QUOTE}| [\w ]+)?$"
                        rf"|- \[{QUOTE} dialog with message {QUOTE}\]: can be handled by browser_handle_dialog$|- \[File chooser\]: can be"
                        rf"|Download(ing|ed) file ({QUOTE}|[^{QUOTE}\"]+)( \.\.\.| to {QUOTE})$|tabs:$|- \d+:( \(current\))? \[.*\]\([^ ]*\)( \[(crashed|net::ERR_\w+)\])?$", bare)

    def bare(self, line):
        """The line with QUOTE for each text in quotes, all of which are JSON."""
        out, at = "", 0
        while at < len(line):
            if line[at] != '"':
                out += line[at]
                at += 1
                continue
            try:
                value, at = json.JSONDecoder().raw_decode(line, at)
            except ValueError as error:
                raise Forged(f"a quote that does not end: {line!r}") from error
            out += QUOTE
        return out

    def row(self, line):
        if not line.startswith("in "):
            line = re.sub(r"^(?:[-+~] )? *" if self.is_difference else "^ *", "", line, count=1)
        bare = self.bare(line)
        if re.match(r"in the page(, first|, after .*)?$|\(\d+ lines that change|The page is empty\.$|- webmcp tools|  - |\d+ \w+: ", bare):
            return
        if found := NOTE.search(bare):
            self.cursors.append(int(found[1][1:]))
            bare = bare[:found.start()]
        elif found := re.search(r", cursor (c\d+)$", bare):  # a landmark with other refs
            self.cursors.append(int(found[1][1:]))
            bare = bare[:found.start()].removesuffix(" with other refs")
        bare = bare.removeprefix("…").removeprefix("in ").rstrip()
        if bare:
            self.rows += 1
        for part in re.split(r" \| | > |, |: ", bare):
            self.part(part.removeprefix("after ").removesuffix(":"), line)

    def part(self, part, line):
        part = INVISIBLE.sub("", part)
        found = LABEL.match(part)
        if found and (found["role"] is None or found["role"] in ROLES) and (found["role"] or found["ref"] or found["name"] == QUOTE):
            self.labels.append((found["role"], found["ref"] and found["ref"].strip()))
        elif re.fullmatch(REF, part):  # "after e5"
            self.labels.append((None, part))
        elif QUOTE in part.replace(QUOTE + "...", "") or "…" in part or re.search(rf"(?<![A-Za-z0-9_]){NAME}(?![A-Za-z0-9_])", part):
            raise Forged(f"{part!r} is no label and no text, in {line!r}")
