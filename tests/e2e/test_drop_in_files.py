"""Files that answers link to: screenshots and their scale, the log of the console."""
import json
import re
import struct

from support.case import main
from support.drop_in import SharedDropInCase

CONFIG = {"browser": {"contextOptions": {"viewport": {"width": 320, "height": 240}, "deviceScaleFactor": 2}}}


class Files(SharedDropInCase):
    @classmethod
    def arguments(cls, folder, site):
        path = folder / "config.json"
        path.write_text(json.dumps(CONFIG), encoding="utf-8")
        return "--config", path

    def size(self, **arguments):
        """The width and height of a screenshot's file."""
        answer = self.ask("browser_take_screenshot", **arguments)
        name = re.fullmatch(r"- \[Screenshot of [\w ]+\]\((.+)\)", answer.result)[1]
        self.assertIn(f"scale: '{arguments.get('scale', 'css')}'", answer.code)
        return struct.unpack(">II", (self.folder / name).read_bytes()[16:24])

    def test_the_scale_of_screenshots(self):
        self.show("<style>body { margin: 0; height: 500px } p { margin: 0; width: 50px; height: 30px }</style><p>text</p>")
        element = {"element": "text", "target": "p"}
        self.assertEqual([self.size(), self.size(scale="css"), self.size(scale="device")], [(320, 240), (320, 240), (640, 480)])
        self.assertEqual([self.size(fullPage=True, scale=scale) for scale in ("css", "device")], [(320, 500), (640, 1000)])
        self.assertEqual([self.size(scale=scale, **element) for scale in ("css", "device")], [(50, 30), (100, 60)])
        self.assertTrue(self.ask("browser_take_screenshot", scale="half").is_error)

    def entries(self, answer):
        """The lines of the console's log that an answer links to."""
        path, first, last = re.search(r"- New console entries: (\S+\.log)#L(\d+)(?:-L(\d+))?$", answer.text, re.M).groups()
        return (self.folder / path).read_text(encoding="utf-8").splitlines()[int(first) - 1:int(last or first)]

    def test_the_log_of_the_console(self):
        """Answers link to the lines of the messages since the last one."""
        answer = self.show("<script>console.warn('first'); console.error('second')</script><button onclick=\"console.log('third')\">Go</button>")
        self.assertIn("- Console: 1 errors, 1 warnings", answer.section("Page"))
        for line, part in zip(self.entries(answer), (r"\[WARNING\] first @ http.*:\d+", r"\[ERROR\] second @ http.*:\d+"), strict=True):
            self.assertRegex(line, part)
        line, = self.entries(self.ask("browser_click", element="Go", target="button"))
        self.assertRegex(line, r"^\[ *\d+ms\] \[LOG\] third @ http")
        self.assertIsNone(self.ask("browser_press_key", key="a").section("Events"))


if __name__ == "__main__":
    main()
