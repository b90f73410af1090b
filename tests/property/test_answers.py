"""Properties 5 and 6: what successful calls answer, for any page and any text."""
import html
from urllib.parse import quote

from support.case import ServerCase, main
from support.generate import for_all, text
from support.pages import Response


class Answers(ServerCase):
    def setUp(self):
        self.one = self.session()

    def test_5_navigation_answers_title_url_and_status(self):
        def page(request):
            hops = int(request.query["hops"])
            if hops:
                query = f"hops={hops - 1}&status={request.query['status']}&title={quote(request.query['title'])}"
                return Response(status=302, headers=[("Location", f"/any?{query}")])
            title = html.escape(request.query["title"])
            return Response(f"<!doctype html><meta charset=utf-8><title>{title}</title>", status=int(request.query["status"]))
        self.pages.route("/any", page)

        def check(case):
            url = "/any?hops={hops}&status={status}&title={quoted}"
            ask = lambda hops: self.pages.url(url.format(**{**case, "hops": hops}, quoted=quote(case["title"])))
            answer = self.one.navigate(ask(case["hops"]), waitUntil=case["waitUntil"])
            self.assertTrue(answer["success"])
            self.assertEqual(answer["status"], case["status"])
            self.assertEqual(answer["url"].replace("'", "%27"), ask(0).replace("'", "%27"))
            self.assertEqual(answer["title"], " ".join(case["title"].split()))  # as document.title does
        for_all(lambda chance: {"hops": chance.choice((0, 0, 1, 3)), "status": chance.choice((200, 200, 201, 404, 500)),
                                "title": "".join(c for c in text(chance) if c.isprintable() and not (c.isspace() and c != " ")),
                                "waitUntil": chance.choice(("load", "domcontentloaded", "networkidle"))},
                check, valid=lambda case: case["status"] in (200, 404))

    def test_6_clicks_and_types_answer_success(self):
        self.one.navigate(self.pages.page("""<meta charset=utf-8><textarea id=t></textarea>
            <div id=e contenteditable style='white-space:pre-wrap'></div><button id=b onclick='clicks.push(event.detail)'>x</button><script>var clicks = []</script>"""))

        def check(case):
            self.one.evaluate("clicks.length = 0")
            field = case["field"]
            typed = self.one.type(f"#{field}", case["text"], clear=True)
            clicked = self.one.click(case["button"], clickCount=case["clicks"])
            self.assertEqual((typed["success"], clicked["success"]), (True, True))
            self.assertTrue(typed["message"] and clicked["message"])
            self.assertEqual(self.one.evaluate("clicks.length"), case["clicks"])
            value = self.one.evaluate("t.value" if field == "t" else "e.innerText")
            # innerText has one or two newlines for a paragraph, depending on its neighbours
            plain = (lambda text: text) if field == "t" else lambda text: text.replace("\n", "")
            self.assertEqual(plain(value), plain(case["text"]))
        for_all(lambda chance: {"field": chance.choice("te"), "text": text(chance), "clicks": chance.randint(1, 3),
                                "button": chance.choice(("#b", "//button", "xpath=//*[@id='b']", "(//button)[1]"))},
                check, valid=lambda case: case["clicks"] and case["field"] and case["button"] == "#b")


if __name__ == "__main__":
    main()
