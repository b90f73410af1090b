"""Over HTTP: each owner's files are in a directory of its own, and tokens that allow to look only write none."""
import os
import pathlib
import re
import stat
import tempfile

from support.case import BrowserdCase, main
from support.http_client import HttpServer
from support.issuer import NAME, Issuer

URL = "https://tools.example/mcp"
PICK = "<title>t</title><h1>words</h1><input type=file onchange='window.picked = this.files'><script>console.log('said')</script>"


class OwnerFiles(BrowserdCase):
    def setUp(self):
        self.site = self.pages()
        self.base = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.work = self.base / "work"
        self.work.mkdir()
        (self.work / "source.c").write_text("int main;")
        self.issuer = Issuer(str(self.base), URL)

    def serve(self, *args):
        server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", self.issuer.write(), "--public-url", URL, "--snapshot-mode", "full", *args, cwd=self.work)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def who(self, server, subject, **claims):
        return server.client(fields={"Authorization": "Bearer " + self.issuer.token(sub=subject, **claims)})

    def open(self, client):
        return client.ask("browser_navigate", url=self.site.page(PICK))

    @staticmethod
    def directories(parent):
        # os.walk() passes over a directory that the server removes meanwhile; rglob() of older Pythons raises.
        return sorted(pathlib.Path(folder) / name for folder, names, _ in os.walk(parent) for name in names
                      if name.startswith("owner-"))

    def give(self, client, path):
        client.ask("browser_click", target="input")
        answer = client.ask("browser_file_upload", paths=[str(path)])
        if "### Error" in answer:
            client.ask("browser_file_upload")
        return answer

    def test_another_owner_s_files_are_not_reached_in_any_way(self):
        server = self.serve()
        ann, eve = self.who(server, "ann"), self.who(server, "eve")
        name = re.search(r"\[Snapshot\]\(([^)]+)\)", self.open(ann))[1]
        of_ann, = self.directories(server.home)
        self.assertTrue((of_ann / name).exists())
        self.open(eve)
        for path in (name, of_ann / name, f"../{of_ann.name}/{name}", "source.c", self.work / "source.c", "/etc/hostname"):
            with self.subTest(path):
                self.assertRegex(self.give(eve, path), "ENOENT|denied")
                read = "async () => Promise.all([...document.querySelector('input').files].map(file => file.text()))"
                self.assertIn("### Result\n[]", eve.ask("browser_evaluate", function=read))
                self.assertRegex(eve.ask("browser_drop", target="input", paths=[str(path)]), "ENOENT|denied")
                self.assertRegex(eve.ask("browser_run_code_unsafe", filename=str(path)), "ENOENT|denied")
                code = f"async page => page.setInputFiles('input', '{path}')"
                self.assertRegex(eve.ask("browser_run_code_unsafe", code=code), "ENOENT|denied")
        session = eve.call("create_session")["sessionId"]
        for path in (of_ann / "x", f"../{of_ann.name}/x", self.work / "x", "/tmp/browserd-x"):
            with self.subTest(path):
                for tool, more in (("browser_snapshot", {}), ("browser_take_screenshot", {}), ("browser_console_messages", {}),
                                   ("browser_network_requests", {}), ("browser_find", {"text": "words"}),
                                   ("browser_evaluate", {"function": "() => 1"})):
                    self.assertIn("File access denied", eve.ask(tool, filename=str(path), **more))
                code = f"async page => page.screenshot({{ path: '{path}' }})"
                self.assertIn("File access denied", eve.ask("browser_run_code_unsafe", code=code))
                self.assertIn("File access denied", eve.fail("screenshot", sessionId=session, path=str(path))["message"])
                self.assertFalse(os.path.exists(of_ann / path))

    def test_files_everywhere_are_not_those_of_others(self):
        server = self.serve("--allow-unrestricted-file-access")
        ann, eve = self.who(server, "ann"), self.who(server, "eve")
        name = re.search(r"\[Snapshot\]\(([^)]+)\)", self.open(ann))[1]
        of_ann, = self.directories(server.home)
        self.open(eve)
        self.assertIn("denied", self.give(eve, of_ann / name))
        self.assertNotIn("Error", self.give(eve, self.work / "source.c"))

    def test_own_files_come_and_go(self):
        """Outputs, downloads and uploads are in one private directory, and names keep their meaning."""
        server = self.serve("--timeout-settle", "30000")
        ann = self.who(server, "ann")
        ann.ask("browser_navigate", url=self.site.page(PICK + "<a download=d.txt href='data:text/plain,down'>get</a>"))
        self.assertIn("d.txt", ann.ask("browser_click", target="a"))
        self.assertIn("(./page.yml)", ann.ask("browser_snapshot", filename="page.yml"))
        for name in ("page.yml", ".playwright-mcp/d.txt"):
            self.assertNotIn("Error", self.give(ann, name))
            said = ann.ask("browser_evaluate", function="() => picked[0].text()")
            self.assertIn("down" if "d.txt" in name else "words", said)
        mine, = self.directories(server.home)
        found = [mine.parent, mine, *mine.rglob("*")]
        self.assertEqual({stat.S_IMODE(path.stat().st_mode) for path in found}, {0o600, 0o700})
        self.assertEqual([path.name for path in self.work.iterdir()], ["source.c"])

    def test_a_subject_keeps_its_files_and_a_client_takes_its_own_along(self):
        server = self.serve()
        ann = self.who(server, "ann")
        self.open(ann)
        ann.delete()
        again = self.who(server, "ann")
        self.open(again)
        self.assertEqual(len(self.directories(server.home)), 1)
        plain = HttpServer(cwd=self.work)
        self.addCleanup(plain.discard)
        self.addCleanup(plain.close)  # which looks at what is left
        one, other = plain.client(), plain.client()
        self.open(one)
        self.open(other)
        self.assertEqual(len(self.directories(plain.home)), 2)
        one.delete()
        while len(self.directories(plain.home)) > 1:
            other.ask("browser_snapshot")
        other.delete()

    def test_the_output_folder_is_that_of_the_directories_and_stays(self):
        out = self.base / "out"
        server = self.serve("--output-dir", str(out))
        self.open(self.who(server, "ann"))
        self.open(self.who(server, "eve"))
        self.assertEqual([path.parent for path in self.directories(self.base)], [out, out])
        server.close()
        self.assertEqual(len(list(out.glob("owner-*/.playwright-mcp/page-*.yml"))), 2)
        server = self.serve("--output-dir", str(out))
        self.open(self.who(server, "eve"))
        self.assertEqual(len(self.directories(self.base)), 3)  # owner numbers begin anew, and no owner gets another's directory

    def test_a_token_that_allows_to_look_writes_nothing(self):
        server = self.serve("--caps", "observe")
        actor, reader = self.who(server, "ann"), self.who(server, "ann", scope="browser:read")
        session = actor.call("create_session")["sessionId"]
        actor.ask("browser_navigate", sessionId=session, url=self.site.page(PICK))
        actor.ask("browser_evaluate", sessionId=session, function="() => setTimeout(() => console.log('later'), 0)")
        mine, = self.directories(server.home)
        before = sorted(mine.rglob("*"))
        for tool, more in (("browser_snapshot", {}), ("browser_take_screenshot", {}), ("browser_console_messages", {}),
                           ("browser_network_requests", {}), ("browser_find", {"text": "words"}),
                           ("browser_network_request", {"index": 1})):
            with self.subTest(tool):
                answer = reader.request("tools/call", {"name": tool, "arguments": {"sessionId": session, **more}})
                self.assertNotIn("isError", {key for key, value in answer.items() if key == "isError" and value}, answer)
                self.assertEqual([item for item in answer["content"] if item["type"] == "resource_link"], [])
                said = reader.ask(tool, sessionId=session, filename="x.txt", **more)
                self.assertIn("browser:act", said)
        picture = reader.request("tools/call", {"name": "browser_take_screenshot", "arguments": {"sessionId": session}})
        self.assertIn("image", [item["type"] for item in picture["content"]])
        self.assertEqual(sorted(mine.rglob("*")), before)
        self.assertNotIn("Error", actor.ask("browser_snapshot", sessionId=session, filename="x.txt"))


if __name__ == "__main__":
    main()
