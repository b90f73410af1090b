"""evaluate and screenshot: reading values and pictures of a page."""
import base64
import os
import struct
import tempfile

from support.case import ServerCase, main


def png_size(data):
    """Width and height in the header of a PNG file."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    return struct.unpack(">II", data[16:24])


class Evaluate(ServerCase):
    def test_values(self):
        session = self.session()
        for expression, value in (("1 + 1", 2), ("'a' + '\\u00e9😀'", "aé😀"), ("null", None),
                                  ("[1, [2, {a: 'b'}]]", [1, [2, {"a": "b"}]]),
                                  ("({a: undefined, b: 1})", {"b": 1}), ("1 < 2", True), ("0.1 + 0.2", 0.1 + 0.2),
                                  ("Promise.resolve(5)", 5), ("2 ** 53", 2 ** 53), ("''", "")):
            with self.subTest(expression):
                self.assertEqual(session.evaluate(expression), value)

    def test_what_is_no_script(self):
        session = self.session()
        for expression, value in (("return 1 + 1", 2), ("const a = 1; return a + 1;", 2), ("await Promise.resolve(5)", 5), ("{a: 1, b: 2}", {"a": 1, "b": 2}),
                                  ("const r = await Promise.resolve({n: 3}); r.n", 3), ("const b = 1; b + 1", 2), ("{a: 1, b: 2};", {"a": 1, "b": 2})):
            with self.subTest(expression):
                self.assertEqual(session.evaluate(expression), value)
        self.assertIn("SyntaxError", session.fail("evaluate", expression="return 1 +").message)

    def test_what_throws_is_not_run_again(self):
        session = self.session()
        session.evaluate("self.runs = 0")
        self.assertIn("SyntaxError", session.fail("evaluate", expression="runs++; const c = JSON.parse('{'); c").message)
        self.assertEqual(session.evaluate("runs"), 1)

    def test_values_that_json_has_not(self):
        session = self.session()
        for expression in ("undefined", "NaN", "Infinity", "() => 1", "Symbol('x')", "10n", "document.body", "window",
                           "(() => { const a = {}; a.a = a; return a })()"):
            with self.subTest(expression):
                session.start("evaluate", expression=expression).result()  # an answer, whichever
        self.assertEqual(session.evaluate("1"), 1)

    def test_questions_of_the_page_are_told(self):
        session = self.show("<button>go</button>")
        answer = session.call("evaluate", expression="[confirm('Sure?'), alert('Hi')]")
        self.assertEqual(answer["value"], [False, None])
        self.assertRegex(answer["dialogs"], "confirm dialog was dismissed.*Sure.*alert dialog was accepted.*Hi")
        self.assertNotIn("dialog", session.click("button")["message"])
        self.assertNotIn("dialogs", session.call("evaluate", expression="1"))

    def test_errors_of_the_page_are_told(self):
        session = self.session()
        for expression, word in (("throw new TypeError('broken')", "broken"), ("nothing.here", "nothing"), ("1 +", "(?i)syntax|unexpected"),
                                 ("Promise.reject(new Error('later'))", "later"), ("throw 'text'", "text"), ("window", "refers to itself.*return")):
            with self.subTest(expression):
                self.assertRegex(session.fail("evaluate", expression=expression).message, word)

    def test_the_page_itself_is_reached(self):
        session = self.show("<script>var own = 'mine'</script>")
        self.assertEqual(session.evaluate("own"), "mine")


class Screenshot(ServerCase):
    def test_a_file(self):
        session = self.show("<body style='background:red;height:3000px'>")
        with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:  # which is the server's, too
            path = os.path.join(folder, "a picture é.png")
            answer = session.call("screenshot", path=path)
            self.assertEqual((answer["path"], answer["width"], answer["height"]), (path, 1280, 720))
            with open(path, "rb") as file:
                self.assertEqual(png_size(file.read()), (1280, 720))
            answer = session.call("screenshot", path=path, fullPage=True)
            with open(path, "rb") as file:
                self.assertEqual(png_size(file.read()), (answer["width"], answer["height"]))
            self.assertGreaterEqual(answer["height"], 3000)

    def test_a_picture_without_a_file(self):
        session = self.show("<p>x")
        reply = session.start("screenshot")
        answer = reply.value()
        self.assertEqual((answer["width"], answer["height"]), (1280, 720))
        if not answer.get("path"):
            picture, = [item for item in reply.result()["content"] if item["type"] == "image"]
            self.assertEqual(png_size(base64.b64decode(picture["data"], validate=True)), (1280, 720))
        else:
            os.unlink(answer["path"])

    def test_a_file_that_cannot_be_written(self):
        session = self.show("<p>x")
        for path in ("/nonexistent/folder/x.png", "/", ""):
            with self.subTest(path):
                error = session.fail("screenshot", path=path)
                self.assertTrue(path in error.message or error.code == "INVALID_PARAMETERS", error)


if __name__ == "__main__":
    main()
