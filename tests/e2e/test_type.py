"""type: the text that arrives, the events that a keyboard would send, and what cannot be typed into."""
from support.case import ServerCase, main

TEXTS = ("plain", "MiXeD 123 !@#$%^&*()_+-=[]{};':\"\\|,.<>/?`~", "héllo ñandú ß", "Привет мир",
         "你好世界", "こんにちは",
         "안녕하세요", "עברית", "مرحبا", "ไทย", "हिन्दी",
         "😀👩‍👩‍👧‍👦🇩🇪👍🏽", "e\u0301 combining", "  spaces  ", "a\u00a0b", "𝒳𝓎", "\u200bzero")
RECORD = """<script>window.seen = [];
for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'change', 'focus', 'blur'])
	addEventListener(type, e => seen.push([type, e.key ?? e.data ?? null, e.code ?? null, e.isTrusted, e.timeStamp]), true);
const of = type => seen.filter(s => s[0] == type);</script>"""


class Type(ServerCase):
    keeps_session = True

    def value(self, session):
        return session.evaluate("document.querySelector('#i').value ?? document.querySelector('#i').innerText")

    def test_any_text_into_any_field(self):
        session = self.session()
        for field in ("<input id=i%d>", "<textarea id=i%d></textarea>", "<div id=i%d contenteditable style='white-space:pre'></div>",
                      "<input id=i%d type=search>", "<input id=i%d type=password>"):
            self.show("".join(field % n for n in range(len(TEXTS))), session)
            for n, text in enumerate(TEXTS):
                with self.subTest(field=field, text=text):
                    self.assertTrue(session.type(f"#i{n}", text)["success"])
            values = session.evaluate("[...document.querySelectorAll('[id]')].map(field => field.value ?? field.innerText)")
            self.assertEqual(values, list(TEXTS), field)

    def test_kinds_of_inputs(self):
        session = self.session()
        for kind, text in (("number", "-12.5"), ("email", "a@b.example"), ("tel", "+49 30"), ("url", "http://x/?a=b")):
            with self.subTest(kind):
                self.show(f"<input id=i type={kind}>", session)
                session.type("#i", text)
                self.assertEqual(self.value(session), text)

    def test_lines(self):
        session = self.show("<textarea id=i></textarea><div id=e contenteditable></div>")
        session.type("#i", "one\ntwo\r\nthree\n")
        self.assertEqual(self.value(session), "one\ntwo\nthree\n")
        session.type("#e", "one\ntwo")
        self.assertEqual(session.evaluate("document.querySelector('#e').innerText.split(/\\n+/)"), ["one", "two"])

    def test_enter_submits_a_form(self):
        target = self.pages.page("done")
        session = self.show(f"<form action='{target}'><input id=i name=q></form>")
        session.type("#i", "words\n")
        self.assertEqual(self.pages.wait_request(target).query, {"q": "words"})

    def test_events_of_a_keyboard(self):
        session = self.show("<input id=i>", head=RECORD)
        session.type("#i", "aB")
        kinds = session.evaluate("seen.map(s => s[0]).filter(t => t != 'focus' && t != 'blur')")
        stroke = ["keydown", "keypress", "beforeinput", "input", "keyup"]
        self.assertEqual([kind for kind in kinds if kind != "change"], stroke * 2)
        self.assertEqual(session.evaluate("of('keydown').map(s => [s[1], s[2], s[3]])"), [["a", "KeyA", True], ["B", "KeyB", True]])
        self.assertEqual(session.evaluate("of('input').map(s => s[1]).join('')"), "aB")

    def test_codes_of_keys(self):
        session = self.show("<textarea id=i></textarea>", head=RECORD)
        session.type("#i", "z9 -/\n")
        self.assertEqual(session.evaluate("of('keydown').map(s => s[2])"), ["KeyZ", "Digit9", "Space", "Minus", "Slash", "Enter"])

    def test_change_when_the_field_is_left(self):
        session = self.show("<input id=i><button>x</button>", head=RECORD)
        session.type("#i", "text")
        session.click("button")
        self.assertEqual(session.evaluate("of('change').length"), 1)

    def test_text_that_no_key_has_still_sends_input_events(self):
        session = self.show("<input id=i>", head=RECORD)
        session.type("#i", "é你😀")
        self.assertEqual(session.evaluate("of('input').map(s => s[1]).join('')"), "é你😀")

    def test_a_page_may_refuse_keys(self):
        session = self.show("<input id=i onkeydown=\"if (event.key == 'x') event.preventDefault()\">")
        session.type("#i", "axbxc")
        self.assertEqual(self.value(session), "abc")

    def test_a_page_may_change_what_is_typed(self):
        session = self.show("<input id=i oninput='this.value = this.value.toUpperCase()' maxlength=4>")
        session.type("#i", "abcdef")
        self.assertEqual(self.value(session), "ABCD")

    def test_typing_twice_continues(self):
        session = self.show("<input id=i>")
        session.type("#i", "ab")
        session.type("#i", "cd")
        self.assertEqual(self.value(session), "abcd")

    def test_typing_adds_to_what_is_there(self):
        for field in ("<input id=i value=old>", "<textarea id=i>old</textarea>", "<div id=i contenteditable>old</div>"):
            with self.subTest(field):
                session = self.show(field)
                session.type("#i", "new")
                self.assertIn(self.value(session), ("oldnew", "newold"))

    def test_clear(self):
        for field in ("<input id=i value=old>", "<textarea id=i>old\nlines</textarea>", "<div id=i contenteditable>o<b>l</b>d<p>x</div>",
                      "<input id=i type=number value=5>", "<input id=i type=email value=a@b>"):
            with self.subTest(field):
                session = self.show(field, head=RECORD)
                session.type("#i", "42", clear=True)
                self.assertEqual(self.value(session).strip(), "42")
                session.type("#i", "", clear=True)
                self.assertEqual(self.value(session).strip(), "")
                self.assertGreater(session.evaluate("of('input').length"), 2)

    def test_no_text_is_no_error(self):
        session = self.show("<input id=i value=old>")
        self.assertTrue(session.type("#i", "")["success"])
        self.assertEqual(self.value(session), "old")

    def test_delay_lies_between_keys(self):
        session = self.show("<input id=i>", head=RECORD)
        session.type("#i", "abcd", delay=60)
        times = session.evaluate("of('keydown').map(s => s[4])")
        self.assertEqual(len(times), 4)
        self.assertTrue(all(b - a >= 55 for a, b in zip(times, times[1:])), times)  # less one timer's rounding

    def test_a_long_text(self):
        session, text = self.show("<textarea id=i></textarea>"), "0123456789 äöü\n" * 60
        session.type("#i", text, timeout=60000)
        self.assertEqual(self.value(session), text)

    def test_selectors_as_in_click(self):
        session = self.show("<input id=i>")
        for selector in ("#i", "//input", "(//input)[1]", "xpath=//input"):
            session.type(selector, "x", clear=True)
        self.assertEqual(self.value(session), "x")

    def test_waits_until_the_field_can_be_used(self):
        for body, change in (("<input id=i disabled>", "i.disabled = false"), ("<input id=i readonly>", "i.readOnly = false"),
                             ("<input id=i hidden>", "i.hidden = false"), ("<p id=p>", "p.outerHTML = '<input id=i>'")):
            with self.subTest(body):
                data, release = self.pages.held()
                session = self.show(f"{body}<script>fetch('{data}').then(() => {{ {change} }})</script>")
                reply = session.start("type", selector="#i", text="x")
                self.pages.wait_request(data)
                release.set()
                self.assertTrue(reply.value()["success"])
                self.assertEqual(self.value(session), "x")

    def test_a_field_far_down(self):
        session = self.show("<div style='height:5000px'></div><input id=i>")
        session.type("#i", "deep")
        self.assertEqual(self.value(session), "deep")

    def test_focus_that_the_page_moves_away(self):
        """Whatever happens to the text, the call answers."""
        session = self.show("<input id=i onfocus='other.focus()'><input id=other>")
        session.start("type", selector="#i", text="x", timeout=300).result()
        self.assertEqual(session.evaluate("1"), 1)


class Failures(ServerCase):
    keeps_session = True

    def fails(self, body, pattern, code="ELEMENT_NOT_EDITABLE", selector="#i"):
        session = self.show(body)
        error = session.fail("type", selector=selector, text="x", timeout=300)
        self.assertRegex(error.code, f"^({code})$", error)
        self.assertEqual(error.session_id, session.id)
        self.assertRegex(error.message, "(?i)" + pattern)

    def test_not_there(self):
        self.fails("<p>x", "#i", "ELEMENT_NOT_FOUND")

    def test_cannot_be_typed_into(self):
        for body in ("<p id=i>x</p>", "<button id=i>x</button>", "<input id=i type=checkbox>", "<input id=i type=radio>",
                     "<input id=i type=submit>", "<input id=i type=file>", "<input id=i type=range>", "<input id=i type=color>",
                     "<select id=i><option>x</select>", "<div id=i contenteditable=false>x</div>", "<a id=i href='#'>x</a>"):
            with self.subTest(body):
                self.fails(body, "edit|typed|text|field")

    def test_disabled_and_read_only(self):
        self.fails("<input id=i disabled>", "disabled")
        self.fails("<fieldset disabled><input id=i></fieldset>", "disabled")
        self.fails("<input id=i readonly>", "read-?only")
        self.fails("<textarea id=i readonly></textarea>", "read-?only")

    def test_hidden(self):
        for body in ("<input id=i style='display:none'>", "<input id=i style='visibility:hidden'>", "<input id=i type=hidden>"):
            with self.subTest(body):
                self.fails(body, "hidden|visible|displayed|edit")

    def test_more_than_one(self):
        self.fails("<input class=i><input class=i>", "2 elements", "ELEMENT_NOT_EDITABLE|INVALID_PARAMETERS|ELEMENT_NOT_FOUND", ".i")

    def test_nothing_was_typed_where_it_failed(self):
        session = self.show("<input id=i readonly value=old><input id=other autofocus>")
        session.fail("type", selector="#i", text="x", timeout=300)
        self.assertEqual(session.evaluate("i.value + other.value"), "old")


if __name__ == "__main__":
    main()
