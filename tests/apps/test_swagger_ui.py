"""Swagger UI before a small API: operations are tried out, and the API keeps what was asked of it."""
import re

from apps.app_case import MODULES, AppCase, files_of, need, task
from apps.petstore import KEY, Petstore
from support.case import main

PACKAGE = "swagger-ui-dist"
PAGE = """<!doctype html><meta charset=utf-8><title>API</title><link rel=stylesheet href=/ui/swagger-ui.css><div id=ui></div>
<script src=/ui/swagger-ui-bundle.js></script><script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', validatorUrl: null })</script>"""

BODY = re.compile(r'.*\{.*"name".*')  # the text area has no label


class SwaggerUi(AppCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.serve_pages()
        cls.shop = Petstore(cls.pages)
        cls.pages.route_folder("/ui/", files_of(MODULES / PACKAGE, "/ui/"))
        cls.pages.route("/", PAGE)

    def prepare(self):
        self.shop.reset()

    def open_operation(self, agent, name):
        agent.go(self.pages.url("/"))
        agent.click("button", re.compile(name + ".*"))
        agent.click("button", re.compile("Try it out ?"))

    @task
    def test_list_with_parameters(self, agent):
        self.open_operation(agent, "GET /api/pets")
        agent.act("select_option", "combobox", values=["cat"])
        agent.type("textbox", "starts", "Ti")
        agent.click("button", "Execute")
        agent.see_text("Request URL")
        agent.see_text("Tiger")
        self.assertEqual(self.shop.listed, [{"kind": "cat", "starts": "Ti"}])

    @task
    def test_post_a_body(self, agent):
        self.open_operation(agent, "POST /api/pets")
        agent.type("textbox", BODY, '{"name": "Bello", "kind": "dog"}')
        agent.click("button", "Execute")
        agent.see_text("Bello")
        agent.click("textbox", BODY)
        agent.press("Control+a")
        agent.type("textbox", BODY, '{"name": "Minka", "kind": "cat"}', slowly=True)
        agent.click("button", "Execute")
        agent.see_text("Minka")
        self.assertEqual(self.shop.names(), ["Tom", "Rex", "Tiger", "Bello", "Minka"])

    @task
    def test_authorize_and_remove(self, agent):
        self.open_operation(agent, "POST /api/remove")
        agent.type("textbox", "name", "Rex")
        agent.click("button", "Execute")
        agent.see_text("no key")
        self.assertIn("Rex", self.shop.names())
        agent.click("button", "Authorize")
        agent.type("textbox", re.compile(".*"), KEY)
        agent.click("button", "Apply credentials")
        agent.click("button", "Close")
        agent.click("button", "Execute")
        agent.see_text("left")
        self.assertEqual(self.shop.names(), ["Tom", "Tiger"])


if __name__ == "__main__":
    need(PACKAGE)
    main()
