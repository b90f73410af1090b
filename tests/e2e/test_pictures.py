"""
How large the pictures of compact answers are: as large as models see them, with the scale, the whole on request, tall pages in parts. Sizes
come from the headers of the files, and what they show from a page that decodes them.
"""
import base64
import json
import os
import re
import struct
import tempfile
import zlib

from support.case import SharedCase, main
from support.engine import by_engine, chromium_only

LONGEST = 1568
BAND, BANDS = 100, 90
TALL = "<body style='margin: 0; font: 10px sans-serif'>" + "".join(
    f"<div style='height: {BAND}px; background: rgb({2 * i}, {255 - 2 * i}, {i % 7 * 30})'>band {i} of the page</div>" for i in range(BANDS))
NOISE = """<body style='margin: 0'><canvas width=900 height=600></canvas><script>
const canvas = document.querySelector('canvas'), context = canvas.getContext('2d'), data = context.createImageData(900, 600);
let seed = 1;
for (let i = 0; i < data.data.length; i++)
	data.data[i] = i % 4 == 3 ? 255 : (seed = seed * 16807 % 2147483647) % 256;
context.putImageData(data, 0, 0);
</script>"""
DECODE = """async () => {
	const image = new Image();
	image.src = 'data:%s;base64,%s';
	await image.decode();
	const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
	const context = canvas.getContext('2d');
	context.drawImage(image, 0, 0);
	return %s.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].join());
}"""


def size(data):
    """Type, width and height, from the header of a PNG, JPEG or WebP."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return "png", *struct.unpack(">II", data[16:24])
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X":
        return "webp", *(1 + int.from_bytes(data[at:at + 3], "little") for at in (24, 27))
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8 ":
        return "webp", *(side & 0x3fff for side in struct.unpack("<HH", data[26:30]))
    assert data[:2] == b"\xff\xd8", data[:16]
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
    height, width = struct.unpack(">HH", data[at + 5:at + 9])
    return "jpeg", width, height


def is_small(data):
    """Whether the pixels of a PNG take no more bytes than zlib makes of them by itself."""
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    return len(packed) <= len(zlib.compress(zlib.decompress(packed)))


def band_colour(y):
    i = int(y) // BAND
    return f"{2 * i},{255 - 2 * i},{i % 7 * 30}"


class PictureCase(SharedCase):
    @classmethod
    def setUpClass(cls):
        """Each test names the arguments of its server."""

    def setUp(self):
        """open() does it."""

    def open(self, *args, body=TALL, form="compact"):
        args = "--answers", form, *args
        self.folder, self.site, self.client = self.shared(lambda folder, site: args, key=args)
        self.addCleanup(self.client.ask, "browser_close")
        self.url = self.site.page(body)
        self.client.ask("browser_navigate", url=self.url)

    def take(self, **arguments):
        """The text of the answer, and type, width, height and bytes of its picture."""
        result = self.client.start_call("browser_take_screenshot", arguments).result()
        self.assertFalse(result.get("isError"), result)
        return self.parts_of(result)

    def parts_of(self, result):
        text = "\n".join(item["text"] for item in result["content"] if item["type"] == "text")
        picture = next((item for item in result["content"] if item["type"] == "image"), None)
        if not picture:
            return text, None
        data = base64.b64decode(picture["data"])
        self.assertEqual(picture["mimeType"], "image/" + size(data)[0])
        self.picture = picture
        return text, (*size(data), len(data))

    def colours(self, *points):
        """Those of the last picture at these pixels, as another page sees them."""
        said = self.client.ask("browser_evaluate", function=DECODE % (self.picture["mimeType"], self.picture["data"], list(map(list, points))))
        return re.findall(r'"(\d+,\d+,\d+)"', said)


class Scaled(PictureCase):
    def test_a_viewport_that_fits_is_as_it_is(self):
        self.open()
        text, (_, width, height, _) = self.take()
        self.assertEqual((width, height), (1280, 720))
        self.assertNotIn("shown", text)

    def test_a_large_viewport_is_scaled_and_says_how_much(self):
        self.open("--viewport-size", "1920x1080", body="<body style='margin: 0'><i style='position: absolute; left: 1800px; top: 900px; "
                                                       "width: 40px; height: 40px; background: rgb(255, 0, 0)'></i>")
        text, (_, width, height, _) = self.take(type="png")
        self.assertEqual((width, height), (1568, 882))
        scale = float(re.search(r"1920x1080 viewport, shown at (0\.\d+) \(coordinates are pixels / \1\)", text)[1])
        self.assertAlmostEqual(scale, width / 1920, places=3)
        inside, outside = [(round(x * scale), round(920 * scale)) for x in (1820, 1780)]
        self.assertEqual(self.colours(inside, outside), ["255,0,0", "255,255,255"])

    def test_a_tall_page_is_scaled(self):
        self.open()
        text, (_, width, height, _) = self.take(fullPage=True)
        self.assertEqual(height, LONGEST)
        self.assertAlmostEqual(width, 1280 * LONGEST / (BAND * BANDS), delta=1)
        self.assertIn("- 1280x9000 page, shown at 0.174", text)
        self.assertIn("part: 1 to 6 shows it larger", text)

    @chromium_only("Firefox has no layout of phones")
    def test_the_call_may_ask_for_all_pixels(self):
        self.open("--device", "iPhone 15", body="<meta name=viewport content='width=device-width'>" + TALL)
        text, (_, width, height, _) = self.take(scale="css")
        self.assertEqual((width, height), (393, 659))
        self.assertNotIn("shown", text)
        text, (_, width, height, _) = self.take(scale="device")
        self.assertEqual((width, height), (1179, 1977))
        self.assertEqual(self.take(fullPage=True, scale="css")[1][1:3], (393, 9000))
        self.assertEqual(self.take()[1][1:3], (393, 659))  # CSS pixels, whatever the screen has

    def twice_as_dense(self):
        """A config of Firefox, whose screens have two pixels for each CSS pixel."""
        file = self.enterContext(tempfile.NamedTemporaryFile("w", suffix=".json"))
        json.dump({"browser": {"launchOptions": {"firefoxUserPrefs": {"layout.css.devPixelsPerPx": "2.0"}}}}, file)
        file.flush()
        return file.name

    def test_pixels_of_the_screen_itself(self):
        self.open(*by_engine(chromium=("--browser-arg", "--force-device-scale-factor=2"), firefox=("--config", self.twice_as_dense())))
        text, (_, width, height, _) = self.take()
        self.assertEqual((width, height), (1280, 720))
        self.assertNotIn("shown", text)
        self.assertEqual(self.take(fullPage=True)[1][2], LONGEST)

    def test_an_element(self):
        self.open(body="<div id=tall style='width: 300px; height: 4000px; background: rgb(0, 0, 255)'></div><p id=small>small</p>")
        text, (_, _, height, _) = self.take(target="#tall", element="The tall one")
        self.assertEqual(height, LONGEST)
        self.assertIn("- 300x4000 element, shown at 0.3919", text)
        text, (_, width, height, _) = self.take(target="#tall", part=3)
        self.assertEqual((width, height), (300, 4000 - 2 * LONGEST))
        self.assertIn("part 3 of 3 of the 300x4000 element, from y 3136, shown at 1", text)
        self.assertNotIn("shown", self.take(target="#small")[0])

    def test_every_size_of_page_fits(self):
        self.open(body="<body style='margin: 0'><div id=d></div>")
        for width, height in ((1568, 1568), (1569, 1000), (1000, 1569), (2000, 3333), (3001, 7), (7, 9061), (1283, 16001)):
            with self.subTest(width=width, height=height):
                self.client.ask("browser_evaluate", function=f"() => {{ d.style = 'width: {width}px; height: {height}px' }}")
                _, (_, *sides, _) = self.take(target="#d")
                longest = min(max(width, height), LONGEST)
                self.assertIn(max(sides), (longest, longest - 1))


class Parts(PictureCase):
    def test_together_they_show_all(self):
        self.open()
        heights = 0
        for part in range(1, 7):
            text, (_, width, height, _) = self.take(fullPage=True, part=part, type="png")
            self.assertIn(f"- part {part} of 6 of the 1280x9000 page, from y {heights}, shown at 1", text)
            self.assertEqual(width, 1280)
            self.assertLessEqual(height, LONGEST)
            rows = (0, height // 2, height - 1)
            self.assertEqual(self.colours(*((1000, y) for y in rows)), [band_colour(heights + y) for y in rows])
            heights += height
        self.assertEqual(heights, BAND * BANDS)

    def test_a_wide_page(self):
        self.open("--viewport-size", "2000x1000")
        text, (_, width, height, _) = self.take(fullPage=True, part=2)
        self.assertEqual((width, height), (LONGEST, LONGEST))
        self.assertIn("part 2 of 5 of the 2000x9000 page, from y 2000, shown at 0.7837 (coordinates are pixels / 0.7837)", text)

    def test_one_that_there_is_not(self):
        self.open()
        for arguments, said in (({"fullPage": True, "part": 7}, "there is no part 7: the picture has 6"), ({"part": 2}, "the picture has 1"),
                                ({"part": 0}, "Too small")):
            self.assertIn(said, self.client.ask("browser_take_screenshot", **arguments))

    def test_of_a_file(self):
        self.open()
        self.take(fullPage=True, part=2, filename=os.path.join(self.folder, "second.png"))
        with open(os.path.join(self.folder, "second.png"), "rb") as file:
            self.assertEqual(size(file.read()), ("png", 1280, LONGEST))


class Types(PictureCase):
    def test_a_small_picture_is_exact(self):
        self.open(body=NOISE + "<p id=mark style='width: 200px; height: 200px; background: rgb(1, 2, 3)'>")
        kind, _, _, count = self.take()[1]
        self.assertEqual(kind, "jpeg")
        self.assertLess(count, self.take(type="png")[1][3])
        self.assertEqual(self.take(target="#mark")[1][:3], ("png", 200, 200))
        self.assertEqual(self.colours((100, 100)), ["1,2,3"])

    def test_the_type_that_the_call_names(self):
        self.open(body=NOISE)
        for kind in ("png", "jpeg", "webp"):
            self.assertEqual(self.take(type=kind)[1][:3], (kind, 1280, 720))
        self.assertEqual(self.take(type="jpeg", target="canvas")[1][:3], ("jpeg", 900, 600))

    def test_a_file_where_answers_have_no_pictures(self):
        self.open("--image-responses", "omit", body=NOISE)
        text, picture = self.take()
        self.assertIsNone(picture)
        name = re.search(r"\(([^)]*/)?(page-[^)/]*\.jpeg)\)", text)[2]
        with open(os.path.join(self.folder, name), "rb") as file:
            self.assertEqual(size(file.read())[0], "jpeg")

    def test_a_named_file_has_all_of_it(self):
        self.open()
        text, picture = self.take(fullPage=True, filename=os.path.join(self.folder, "whole.png"))
        self.assertIsNone(picture)
        self.assertNotIn("shown", text)
        with open(os.path.join(self.folder, "whole.png"), "rb") as file:
            self.assertEqual(size(file.read()), ("png", 1280, BAND * BANDS))


class Others(PictureCase):
    def shoot(self, session, **arguments):
        return self.parts_of(session.start("screenshot", **arguments).result())

    def test_the_session_tool(self):
        self.open()
        session = self.client.session()
        session.navigate(self.url)
        self.assertEqual(session.call("screenshot"), {"success": True, "width": 1280, "height": 720})
        self.assertEqual(self.shoot(session)[1][:3], ("jpeg", 1280, 720))
        told = session.call("screenshot", fullPage=True)
        self.assertEqual((told["width"], told["height"]), (223, LONGEST))
        self.assertAlmostEqual(told["scale"], LONGEST / 9000, places=3)
        self.assertIn("1280x9000 page, shown at 0.174", told["shown"])
        text, (_, width, height, _) = self.shoot(session, fullPage=True, part=6)
        self.assertEqual((width, height), (1280, 9000 - 5 * LONGEST))
        self.assertIn("part 6 of 6", text)
        self.assertEqual(self.shoot(session, fullPage=True, scale="css")[1][1:3], (1280, 9000))
        path = os.path.join(self.folder, "session.png")
        self.assertEqual(session.call("screenshot", fullPage=True, path=path), {"success": True, "path": path, "width": 1280, "height": 9000})
        with open(path, "rb") as file:
            self.assertEqual(size(file.read()), ("png", 1280, 9000))

    def test_the_resource(self):
        self.open("--caps", "observe", "--viewport-size", "2000x1000")
        session = self.client.session()
        session.navigate(self.url)
        content, = self.client.request("resources/read", {"uri": f"session://{session.id}/screenshot"})["contents"]
        self.assertEqual((content["mimeType"], *size(base64.b64decode(content["blob"]))), ("image/png", "png", LONGEST, 784))


class OldForm(PictureCase):
    def test_pictures_are_whole(self):
        self.open("--viewport-size", "1920x1080", form="playwright")
        text, picture = self.take(fullPage=True)
        self.assertEqual(picture[:3], ("png", 1920, 9000))
        self.assertNotIn("shown", text)
        result = self.client.start_call("browser_take_screenshot", {"part": 2}).result()
        self.assertIn("There is no such argument", result["content"][0]["text"])

    def test_a_picture_has_a_limited_number_of_pixels(self):
        side, scale = by_engine(chromium=(8000, "0.625"), firefox=(6250, "0.8"))  # Firefox refuses more
        self.open("--viewport-size", "1280x720", body=f"<body style='margin: 0'><div style='width: {side}px; height: {side}px'>wide and tall",
                  form="playwright")
        text, picture = self.take(fullPage=True)
        self.assertEqual(picture[:3], ("png", 5000, 5000))
        self.assertIn(f"{side}x{side} page, shown at {scale} (coordinates are pixels / {scale})", text)

    @chromium_only("Firefox compresses all of its pictures alike")
    def test_small_pictures_are_compressed_well(self):
        text = "".join(f"<p>{i} " + " ".join(f"word{i * j % 97}" for j in range(60)) for i in range(60))
        self.open("--viewport-size", "1280x720", body=text + "<div id='box' style='width: 300px; height: 200px; overflow: hidden'>" + text,
                  form="playwright")
        for arguments, expected in (({}, False), ({"fullPage": True}, False), ({"element": "box", "target": "#box"}, True)):
            with self.subTest(arguments):
                self.take(**arguments)
                self.assertEqual(is_small(base64.b64decode(self.picture["data"])), expected)
        self.client.ask("browser_resize", width=800, height=600)
        self.take()
        self.assertTrue(is_small(base64.b64decode(self.picture["data"])))


if __name__ == "__main__":
    main()
