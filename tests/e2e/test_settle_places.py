"""
What an action leads to is in its answer wherever in the page it happens: in the document, in frames of this and of
another site, in open and closed shadow roots. And where nothing can come, nothing is waited for.
"""
import re
import time

from support.case import SharedCase, main
from support.pages import Response

# `go`, `field`, `out` are elements, `done()` shows the effect; `root` is the document or shadow root that they are in.
ELEMENTS = """<style>
:host { display: inline-block; position: relative; width: 200px; height: 40px }
#go { width: 200px; height: 40px } .rest { position: absolute; top: 60px }
</style><button id=go>go</button><div class=rest><input id=field aria-label=field><p id=out>before</p><div id=empty></div></div>"""
NAMES = """
const [go, field, out] = ['go', 'field', 'out'].map(id => root.getElementById(id));
const done = () => { out.textContent = 'after' };
"""

LATER = 120  # ms
# The server looks for closed roots once the page has answered the input. A change before that cannot be seen, so on a busy machine
# the change has to come later.
LATER_IN_CLOSED_ROOT = 3000  # ms

REACTIONS = {
    "at once": "go.onclick = done",
    "after a timer": "go.onclick = () => setTimeout(done, LATER)",
    "after a loading state and a timer": "go.onclick = () => { out.textContent = 'loading'; setTimeout(done, LATER) }",
    "two frames later": "go.onclick = () => requestAnimationFrame(() => requestAnimationFrame(done))",
    "after an animation": "go.onclick = () => { out.animate([{ opacity: 1 }, { opacity: 0.5 }], 200).finished.then(done) }",
    "after steps of a timer": """go.onclick = () => {
        let left = 15;
        const steps = setInterval(() => {
            out.style.opacity = left / 15;
            if (--left === 0) { clearInterval(steps); done() }
        }, 13);
    }""",
    "after the focus has moved": "field.onfocus = () => setTimeout(done, LATER); go.onclick = () => field.focus()",
    "in a root that comes with the action": """go.onclick = () => {
        const host = document.createElement('div');
        const inner = host.attachShadow({ mode: root.mode ?? 'open' });
        inner.innerHTML = '<p>new</p>';
        out.replaceChildren(host);
        setTimeout(() => { inner.firstChild.textContent = 'after'; window.read = () => inner.textContent }, LATER);
    }""",
    "in a root that an element gets later": """go.onclick = () => setTimeout(() => {
        const inner = root.getElementById('empty').attachShadow({ mode: root.mode ?? 'open' });
        inner.innerHTML = '<p>after</p>';
        window.read = () => inner.textContent;
    }, LATER)""",
}
IDLE = "<textarea id=go>some text</textarea><div class=rest><input id=field><p id=out>before</p></div>"


def shadow(mode, elements, script):
    return f"""<x-place></x-place><script>
    customElements.define('x-place', class extends HTMLElement {{
        constructor() {{
            super();
            const root = this.attachShadow({{ mode: '{mode}' }});
            root.innerHTML = `{elements}`;
            window.read = () => root.textContent;
            {NAMES} {script}
        }}
    }})</script>"""


def document(elements, script):
    return f"{elements}<script>const root = document; {NAMES} {script}</script>"


class SucceedingCase(SharedCase):
    def ask(self, tool, **arguments):
        text = super().ask(tool, **arguments)
        self.assertNotIn("### Error", text)
        return text


class Places(SucceedingCase):
    """Patience has no end here: an effect that is not seen is never answered."""

    args = ("--timeout-settle", "600000")
    places = ("document", "frame of this site", "frame of another site", "open root", "closed root")

    def page(self, place, elements, script):
        script = script.replace("LATER", str(LATER_IN_CLOSED_ROOT if place == "closed root" else LATER))
        if place.endswith("root"):
            return self.site.page(shadow(place.split()[0], elements, script))
        inner = self.site.page(document(elements, script))
        if place == "frame of another site":
            inner = inner.replace("127.0.0.1", "localhost")
        return inner if place == "document" else self.site.page(f"<iframe src='{inner}' width=500 height=300></iframe>")

    def target(self, place, role):
        if place == "closed root":
            return "x-place"
        return re.search(rf'{role}.*?\[ref=(\w+)\]', self.ask("browser_snapshot"))[1]

    def shown(self, place):
        return self.ask("browser_evaluate", function="() => read()") if place == "closed root" else self.ask("browser_snapshot")

    def test_effects(self):
        for place in self.places:
            for name, script in REACTIONS.items():
                with self.subTest(name, place=place):
                    self.ask("browser_navigate", url=self.page(place, ELEMENTS, script))
                    self.ask("browser_click", target=self.target(place, "button"))
                    self.assertIn("after", self.shown(place))

    def test_where_no_script_hears_nothing_is_waited_for(self):
        for place in ("document", "open root", "closed root"):
            with self.subTest(place=place):
                self.ask("browser_navigate", url=self.page(place, IDLE, "addEventListener('load', () => {})"))
                target = self.target(place, "textbox")
                self.ask("browser_hover", target=target)
                self.ask("browser_click", target=target)
                for key in ("End", "Home", "ArrowLeft", "Shift", "Escape"):
                    self.ask("browser_press_key", key=key)

    def test_a_listener_that_leaves_nothing(self):
        for place in ("document", "open root", "closed root"):
            with self.subTest(place=place):
                self.ask("browser_navigate", url=self.page(place, ELEMENTS, "for (const type of ['click', 'keydown', 'pointermove']) addEventListener(type, () => {})"))
                self.ask("browser_hover", target=self.target(place, "button"))
                self.ask("browser_press_key", key="Escape")

    def test_listeners_of_events_with_long_names(self):
        self.ask("browser_navigate", url=self.site.page("<button>go</button><p id=out>before</p><script>"
            "addEventListener('x'.repeat(1e6), () => {}); document.body.addEventListener('x'.repeat(1000), () => {});"
            f"addEventListener('keydown', () => setTimeout(() => {{ out.textContent = 'after' }}, {LATER}));</script>"))
        self.ask("browser_press_key", key="Escape")
        self.assertIn("after", self.ask("browser_evaluate", function="() => out.textContent"))

    def test_timers_of_the_page_are_not_those_of_a_key_that_nobody_hears(self):
        self.ask("browser_navigate", url=self.site.page("<textarea>text</textarea><script>(function again() { setTimeout(again, 5) })()</script>"))
        for tool, arguments in (("browser_click", {"target": "textarea"}), ("browser_press_key", {"key": "End"})):
            time.sleep(0.05)  # a timer that is set between two calls shows that the page sets them by itself
            self.ask(tool, **arguments)

    def test_the_caret_of_an_editor(self):
        self.ask("browser_navigate", url=self.site.page("""<textarea>text</textarea><p id=out>before</p><script>
            const area = document.querySelector('textarea');
            area.onkeydown = event => {
                if (event.key !== 'End') setTimeout(() => { out.textContent = event.key }, 150);
                else setInterval(() => { area.classList.toggle('blinks') }, 1e6);
            }</script>"""))
        self.ask("browser_click", target="textarea")
        self.ask("browser_press_key", key="End")
        self.ask("browser_press_key", key="Escape")
        self.assertIn(": Escape", self.ask("browser_snapshot"))


class Pace(Places):
    """With the usual patience: an answer does not come before what is still under way has ended."""

    args = ("--timeout-settle", "2000")
    test_effects = test_where_no_script_hears_nothing_is_waited_for = test_a_listener_that_leaves_nothing = None
    test_listeners_of_events_with_long_names = None
    test_timers_of_the_page_are_not_those_of_a_key_that_nobody_hears = test_the_caret_of_an_editor = None

    def test_a_panel_that_fades(self):
        fades = {
            "by an interval": """go.onclick = () => {
                let left = 20;
                const steps = setInterval(() => { out.style.opacity = --left / 20; if (left === 0) { clearInterval(steps); out.remove() } }, 13);
            }""",
            "by a chain of timers": """go.onclick = function step(left = 20) {
                out.style.height = left + 'px';
                if (left === 0) out.remove(); else setTimeout(() => step((left === +left ? left : 20) - 1), 13);
            }""",
            "by an animation": """go.onclick = () => {
                field.value = 'closing';
                out.animate([{ opacity: 1 }, { opacity: 0 }], 250).finished.then(() => out.remove());
            }"""}
        for place in self.places:
            for name, script in fades.items():
                with self.subTest(name, place=place):
                    self.ask("browser_navigate", url=self.page(place, ELEMENTS, script))
                    self.ask("browser_click", target=self.target(place, "button"))
                    self.assertNotIn("before", self.shown(place))

    def test_the_page_s_own_clock(self):
        clocks = {"seconds": "clock.textContent = ++n", "a time": "clock.textContent = `12:00:${n = n % 50 + 10}`",
                  "a hand": "clock.style.rotate = ++n + 'deg'"}
        for name, tick in clocks.items():
            for delay in (40, 150, 1000):
                with self.subTest(name, delay=delay):
                    self.ask("browser_navigate", url=self.site.page(f"""<input aria-label=search><p id=out>before</p><p id=clock style='rotate: 1deg'>0</p><script>
                        let n = 10, timer, delay = {delay};
                        document.querySelector('input').oninput = () => {{
                            if (delay === 1000) setTimeout(() => {{ {tick} }}, 30);
                            timer = setTimeout(() => {{ out.textContent = 'suggestion' }}, 300);
                        }};
                        setInterval(() => {{ {tick} }}, delay);
                        </script>"""))
                    self.ask("browser_type", target="input", text="word")
                    self.assertIn("suggestion", self.ask("browser_snapshot"))

    def test_scrolling_by_code(self):
        page = """<div id=box tabindex=0 style="height: 40px; width: 300px; overflow: auto; scroll-behavior: BEHAVIOR"><p style="height: 900px">tall</p></div>
            <p id=out>before</p>MANY<script>
            box.onscroll = () => { out.textContent = 'after' };
            const go = () => { box[['scrollTop'][0]] = 50 };
            onscroll = () => { out.textContent = 'after' };
            </script>"""
        for function in ("() => { box.scrollTop = 50 }", "() => go()", "() => box.lastChild.scrollIntoView(false)", "() => scrollTo(0, 9)"):
            for behavior in ("auto", "smooth"):
                with self.subTest(function, behavior=behavior):
                    many = "<p style='height: 3000px'></p>"
                    self.ask("browser_navigate", url=self.site.page(page.replace("BEHAVIOR", behavior if "go" not in function else "auto").replace("MANY", many)))
                    self.ask("browser_evaluate", function="() => 1")
                    self.ask("browser_evaluate", function=function)
                    self.assertIn(": after", self.ask("browser_snapshot"))


class Popups(SucceedingCase):
    """A page that an action opens is there, and has come to rest, when the answer is given."""

    args = Places.args

    def opened(self, opener, inner):
        url = self.site.page(inner)
        self.ask("browser_navigate", url=self.site.page(f"<output id=o>idle</output>{opener.replace('$URL', url)}"))
        self.ask("browser_click", target="#go")
        self.ask("browser_tabs", action="select", index=1)
        snapshot = self.ask("browser_snapshot")
        self.ask("browser_tabs", action="close", index=1)
        return snapshot

    def test_popups(self):
        self.site.route("/late.js", lambda _: self.slow())
        openers = {
            "without an effect": "<button id=go onclick=\"window.open('$URL')\">go</button>",
            "with an effect": "<button id=go onclick=\"o.value = 'opening'; window.open('$URL')\">go</button>",
            "by a link": "<a id=go target=_blank href='$URL' onclick=\"o.value = 'opening'\">go</a>",
            "without an opener": "<button id=go onclick=\"window.open('$URL', '', 'noopener')\">go</button>",
            "after a timer": "<button id=go onclick=\"setTimeout(() => { o.value = 'opened'; window.open('$URL') }, 50)\">go</button>"}
        documents = {"loaded": "<h1>popup</h1>", "with a late script": "<script src=/late.js></script><h1>popup</h1>",
                     "that writes itself": "<script>onload = () => setTimeout(() => { document.body.innerHTML = '<h1>popup</h1>' }, 0)</script>"}
        for opener, page in openers.items():
            for name, inner in documents.items():
                with self.subTest(opener, document=name):
                    self.assertIn('heading "popup"', self.opened(page, inner))

    def test_windows_without_an_address(self):
        self.assertIn('heading "written"', self.opened(
            "<button id=go onclick=\"window.open('').document.write('<h1>written</h1>')\">go</button>", ""))
        self.site.route("/nothing", Response(status=204))
        self.opened("<button id=go onclick=\"window.open('/nothing')\">go</button>", "")

    @staticmethod
    def slow():
        time.sleep(0.5)  # the latency of a server is what the page is about
        return Response("", content_type="text/javascript")


if __name__ == "__main__":
    main()
