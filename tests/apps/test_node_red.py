"""Node-RED: flows are drawn, edited and deployed in its editor, and answer over HTTP."""
import json
import re
import shutil
import urllib.error
import urllib.request

from apps.app_case import MODULES, AppCase, need, task
from support.case import main
from support.client import PATIENCE
from support.ports import free_port

PACKAGE = "node-red"
SETTINGS = """module.exports = { uiHost: '127.0.0.1', flowFile: 'flows.json', credentialSecret: false,
	telemetry: { enabled: false, updateNotification: false }, editorTheme: { tours: false, codeEditor: { lib: 'monaco' } },
	externalModules: { palette: { allowInstall: false } }, logging: { console: { level: 'warn' } } };"""
TAB = {"id": "tab", "type": "tab", "label": "Work"}
IN, FUNCTION, OUT = "http in", "function", "http response"


def chain(code):
    """A flow that answers GET /double."""
    return [TAB, {"id": "in", "type": "http in", "z": "tab", "name": "asked", "url": "/double", "method": "get", "x": 150, "y": 100,
                  "wires": [["do"]]},
            {"id": "do", "type": "function", "z": "tab", "name": "double it", "func": code, "outputs": 1, "x": 350, "y": 100, "wires": [["out"]]},
            {"id": "out", "type": "http response", "z": "tab", "name": "answered", "x": 550, "y": 100, "wires": []}]


class NodeRed(AppCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        home = cls.folder / "node-red"
        home.mkdir()
        (home / "settings.js").write_text(SETTINGS)
        port = free_port()
        cls.url = f"http://127.0.0.1:{port}"
        cls.run_server([shutil.which("node"), str(MODULES / PACKAGE / "red.js"), "--userDir", str(home), "--settings", str(home / "settings.js"),
                        "--port", str(port)], cls.url + "/settings", cwd=home)

    def http(self, path, body=None):
        """The body of an answer, whatever its status."""
        request = urllib.request.Request(self.url + path, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json", "Node-RED-Deployment-Type": "full"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def prepare(self):
        self.flow([TAB])

    def flow(self, nodes):
        self.http("/flows", nodes)

    def open(self, agent):
        if "beforeunload" in agent.ask("navigate", url=self.url + "/"):  # of an earlier task that failed
            agent.call("handle_dialog", accept=True)
            agent.go(self.url + "/")
        agent.find("link", "Work")

    def deploy(self, agent, count):
        """Until Node-RED runs that many nodes of the tab, the changed ones of which are new."""
        before = self.http("/flows")
        agent.click("link", "Deploy")
        agent.see(lambda _: self.http("/flows") != before and len(json.loads(self.http("/flows"))) == count + 1)

    @task
    def test_draw_a_flow(self, agent):
        self.open(agent)
        for kind, x in ((IN, 150), (OUT, 450)):
            palette = agent.find("generic", kind)
            agent.call("drag", startElement=kind, startTarget=palette.ref, endElement="workspace", endTarget="#red-ui-workspace-chart",
                       **({"endPosition": {"x": x, "y": 120}, "steps": 5} if agent.name == "browserd" else {}))
        self.edit(agent, "locator('.red-ui-flow-node-group').first()")
        agent.type("textbox", re.compile("URL.*"), "/hello")
        agent.click("button", "Done")
        agent.call("drag", startElement="output of http in", startTarget=".red-ui-flow-port-output .red-ui-flow-port",
                   endElement="input of http response", endTarget=".red-ui-flow-port-input .red-ui-flow-port")
        self.deploy(agent, 2)
        nodes = {node["type"]: node for node in json.loads(self.http("/flows"))}
        self.assertEqual(nodes[IN]["wires"], [[nodes[OUT]["id"]]])
        self.assertEqual(nodes[IN]["url"], "/hello")
        self.assertEqual(self.http("/hello?a=1"), '{"a":"1"}')

    @task
    def test_change_a_function(self, agent):
        self.flow(chain("return msg;"))
        self.open(agent)
        self.edit(agent, "#do")
        agent.click("textbox", re.compile("Editor.*|"), nth=-1)
        agent.press("Control+a")
        agent.type("textbox", re.compile("Editor.*|"), "msg.payload = 2 * msg.req.query.n + '';\nreturn msg;", nth=-1, slowly=True)
        agent.click("button", "Done")
        self.deploy(agent, 3)
        self.assertEqual(self.http("/double?n=21"), "42")

    def edit(self, agent, target):
        """Repeats the double click: Node-RED takes two presses for one only within 650 ms, and its first one may take longer under load."""
        def is_open(text):
            found = 'button "Done"' in text
            if not found:
                agent.ask("click", element="node", target=target, doubleClick=True)
            return found
        agent.see(is_open)

    @task
    def test_import_nodes(self, agent):
        self.open(agent)
        agent.press("Control+i")
        code = "msg.payload = 'imported ' + msg.req.query.n; return msg;"
        agent.type("textbox", re.compile(".*"), json.dumps(chain(code)[1:]), within=("dialog", None))
        agent.press("End")  # the dialog looks at its text when a key comes up
        agent.click("button", "Import")
        agent.call("click", element="workspace", target="#red-ui-workspace-chart")
        self.deploy(agent, 3)
        self.assertEqual(self.http("/double?n=7"), "imported 7")


if __name__ == "__main__":
    need(PACKAGE)
    main()
