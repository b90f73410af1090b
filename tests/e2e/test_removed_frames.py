"""Frames that a page removes and makes anew while calls are at work in them: snapshots, refs, locators, code with elements."""
import json
import re

from support.answers import text_of
from support.case import SharedCase, main

INNER = "<title>inner</title><button id=b onclick=\"parent.parent.document.title = 'pressed'\">press</button>"
# From start() on, each of PAGE's frames goes and comes back at times of its own, with what is in it, until still() is called, which
# gives how many have gone once all that stay have loaded. Frames that come while the page loads would delay its load event.
PAGE = """<title>outer</title><body><script>
let removed = 0, timers = [], loaded = [];
function put(n) {
  const f = document.createElement('iframe');
  f.src = 'MIDDLE';
  loaded[n] = new Promise(done => f.onload = done);
  document.body.append(f);
  timers[n] = setTimeout(() => { f.remove(); removed++; put(n) }, SHORT + SHORT * 3 * Math.random());
}
async function still() {
  while (removed < 3) await new Promise(done => setTimeout(done, 20));
  timers.forEach(clearTimeout);
  await Promise.all(loaded);
  return removed;
}
function start() { for (let n = 0; n < COUNT; n++) put(n) }
</script>"""
IN_FRAMES = "iframe >> nth=0 >> internal:control=enter-frame >> iframe >> nth=0 >> internal:control=enter-frame >> #b"


class Case(SharedCase):
    def call(self, tool, **arguments):
        result = self.client.start_call(tool, arguments).result()
        return text_of(result), result.get("isError", False)

    def open(self, count, short, middle="127.0.0.1"):
        """A page with that many frames; those inside of them are of its own origin again. `short`: milliseconds."""
        inner = self.site.route("/inner", INNER)
        self.site.route("/middle", f"<title>middle</title><iframe src={inner}></iframe><iframe src={inner}></iframe>")
        page = PAGE.replace("MIDDLE", self.site.url("/middle", middle)).replace("SHORT", str(short)).replace("COUNT", str(count))
        self.call("browser_navigate", url=self.site.route("/outer", page))
        self.call("browser_evaluate", function="() => start()")

    def press_at_rest(self, same_origin=True):
        """Frames did go meanwhile, and what stays can be used."""
        text, failed = self.call("browser_evaluate", function="() => still()")
        self.assertFalse(failed, text)
        self.assertGreater(int(re.search(r"### Result\n(\d+)", text)[1]), 2)
        text, failed = self.call("browser_click", target=IN_FRAMES)
        self.assertFalse(failed, text)
        if same_origin:
            self.assertIn("Page Title: pressed", self.call("browser_snapshot")[0])


class RemovedFrames(Case):
    args = ("--timeout-action", "10000", "--timeout-settle", "300")

    def test_snapshots(self):
        self.open(4, 30)
        for _ in range(3):
            text, failed = self.call("browser_snapshot")
            self.assertFalse(failed, text)
            self.assertIn("- iframe", text)
        self.press_at_rest()

    def test_refs(self):
        self.open(1, 60)
        aimed = 0
        while aimed < 8:
            refs = re.findall(r'button "press" \[ref=(f\d+e\d+)\]', self.call("browser_snapshot")[0])
            for ref in refs[:2]:
                aimed += 1
                if aimed % 2:
                    self.call("browser_hover", target=ref)
                else:
                    self.call("browser_evaluate", target=ref, function="e => e.textContent")
        self.press_at_rest()

    def test_elements_that_code_holds(self):
        self.open(1, 60)
        text, failed = self.call("browser_run_code_unsafe", code="""async page => {
          const ends = [0, 0];
          for (let i = 0; i < 8; i++) try {
            const button = await page.frameLocator('iframe >> nth=0').frameLocator('iframe >> nth=0').locator('#b').elementHandle({ timeout: 300 });
            const text = await page.evaluate(list => list.map(e => e.id).join(''), Array(8).fill(button));
            ends[text === 'bbbbbbbb' ? 0 : 1]++;
          } catch { ends[1]++ }
          return ends }""")
        self.assertFalse(failed, text)
        self.assertEqual(sum(json.loads(re.search(r"### Result\n(.*)\n### Ran", text, re.S)[1])), 8)
        self.press_at_rest()

    def test_removed_by_the_way_to_the_mouse(self):
        """Bringing the element into view is what makes the page remove its frame."""
        inner = self.site.route("/inner", INNER)
        page = f"""<title>outer</title><div style="height: 3000px"></div><iframe src={inner}></iframe>
            <script>onscroll = () => document.querySelector('iframe')?.remove()</script>"""
        url = self.site.route("/scrolls", page)
        target = "iframe >> internal:control=enter-frame >> #b"
        for tool, more in (("browser_click", {}), ("browser_hover", {}), ("browser_drag", {"startTarget": target, "endTarget": target})):
            with self.subTest(tool):
                self.call("browser_navigate", url=url)
                text, failed = self.call(tool, **(more or {"target": target}))
                self.assertTrue(failed, text)
                self.assertNotIn("iframe", self.call("browser_snapshot")[0].replace("internal:control", ""))


class AcrossOrigins(Case):
    args = ("--timeout-action", "3000", "--timeout-settle", "300")

    def test_locators_across_origins(self):
        self.open(1, 100, middle="localhost")
        for _ in range(4):
            self.call("browser_hover", target=IN_FRAMES)
            self.call("browser_take_screenshot", target=IN_FRAMES, type="jpeg")
        self.press_at_rest(same_origin=False)


if __name__ == "__main__":
    main()
