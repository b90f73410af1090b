"""
Actions on elements of every kind of document (the page's own, frames of the same site and of another, open shadow roots), wherever
these documents and elements lie: one table of action x place x geometry. The element must have got what was done to it, and nothing
else may have been touched.
"""
import re

from support.case import ServerCase, main

FIELDS = """<button id=b>go</button><input id=t aria-label=field value=old><input id=c type=checkbox aria-label=box>
<select id=s aria-label=list><option>one<option>two</select>"""
SEEN = """<script>
addEventListener('click', e => report(['clicked', (e.composedPath()[0].id || e.composedPath()[0].localName)]));
addEventListener('mousemove', e => { if (e.composedPath()[0].id == 'b') report(['hovered', 'b']); });
addEventListener('input', e => report(['changed', e.composedPath()[0].id]));
</script>"""
WRONG = "<div id=wrong style='height:300px' onmousedown=\"report(['wrong'])\">something else</div>"
FRAME = "<iframe src='{url}' style='border:0;width:300px;height:{height}px'></iframe>"
# What the page has around the document that the element is in. {0}: that document (or the element itself).
GEOMETRIES = {
    "in view": "{0}" + WRONG,
    "cut off at the bottom": "<div style='height:703px'></div>{0}" + WRONG,
    "cut off at the right": "<div style='margin-left:1180px;width:400px'>{0}</div>" + WRONG,
    "far down": "<div style='height:2500px'></div>{0}" + WRONG,
    "in a box that scrolls": "<div style='width:320px;height:100px;overflow:auto'><div style='height:95px'></div>{0}</div>" + WRONG,
    "below a fixed header": "<div style='position:fixed;inset:0 0 auto 0;height:60px;background:#ddd' onmousedown=\"report(['wrong'])\"></div>"
                            "<div style='height:900px'></div>{0}<div style='height:2000px'></div><script>scrollTo(0, 890)</script>",
}
PLACES = ("page", "frame", "frame of another site", "frame in a frame", "frame of another site in a frame",
          "frame in a frame of another site", "open shadow root")
ACTIONS = {
    "click": ("browser_click", "go", {}, ["clicked", "b"]),
    "hover": ("browser_hover", "go", {}, ["hovered", "b"]),
    "fill": ("browser_type", "field", {"text": "new"}, "new"),
    "type key by key": ("browser_type", "field", {"text": "er", "slowly": True}, "older"),
    "choose": ("browser_select_option", "list", {"values": ["two"]}, "two"),
    "check": ("browser_click", "box", {}, ["changed", "c"]),
}
READ = "e => e.value"


class Places(ServerCase):
    args = ("--timeout-action", "4000", "--caps", "vision")

    def document(self, body):
        return self.pages.page(body + SEEN, head="<style>body { margin: 0 }</style>")

    def other_site(self, url):
        return url.replace("127.0.0.1", "localhost")

    def frame(self, url, height=50):
        return FRAME.format(url=url, height=height)

    def content(self, place):
        leaf = self.document(FIELDS)
        if place == "page":
            return f"<div id=leaf>{FIELDS}</div>"
        if place == "open shadow root":
            return "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = `" + FIELDS + "`</script>"
        if place == "frame":
            return self.frame(leaf)
        if place == "frame of another site":
            return self.frame(self.other_site(leaf))
        inner = self.frame(self.other_site(leaf) if place == "frame of another site in a frame" else leaf)
        middle = self.document(f"<div style='height:80px'></div>{inner}<div style='height:200px'></div>")
        # The inner frame begins 15 pixels above the lower edge of the middle one.
        return self.frame(self.other_site(middle) if place == "frame in a frame of another site" else middle, 95)

    def ref(self, session, name):
        snapshot = session.ask("browser_snapshot")
        return re.search(rf'"{name}"(?: \[[^\]]*\])* \[ref=(\w+)\]', snapshot)[1]

    def check(self, session, action, place, geometry):
        if action == "hover":  # a mouse that lies there already would be enough
            session.ask("browser_mouse_move_xy", x=1279, y=719)
        self.act(session, action, place, geometry)

    def act(self, session, action, place, geometry):
        tool, name, arguments, expected = ACTIONS[action]
        session.ask("browser_navigate", url=self.document(GEOMETRIES[geometry].replace("{0}", self.content(place))))
        ref = self.ref(session, name)
        answer = session.start(tool, target=ref, **arguments).result()
        self.assertFalse(answer.get("isError"), answer["content"][0]["text"])
        if isinstance(expected, list):
            while (said := self.pages.wait_report()) != expected:
                self.assertNotEqual(said, ["wrong"])
        else:
            self.assertIn(f'"{expected}"', session.ask("browser_evaluate", target=ref, function=READ))

    def test_every_action_in_every_place(self):
        session = self.session()
        for action in ACTIONS:
            for place in PLACES:
                with self.subTest(action=action, place=place):
                    self.check(session, action, place, "in view")

    def test_pointing_at_every_geometry(self):
        """But the one in view, which the test of every action has."""
        session = self.session()
        for action in ("click", "hover"):
            for place in PLACES:
                for geometry in sorted(GEOMETRIES.keys() - {"in view"}):
                    with self.subTest(action=action, place=place, geometry=geometry):
                        self.check(session, action, place, geometry)


if __name__ == "__main__":
    main()
