"""Under the name playwright-mcp: where files are, how answers name them, and the profile of each workspace."""
import hashlib
import re

from support.case import main
from support.drop_in import PLAIN, REFERENCE, DropInCase

EXECUTABLE = PLAIN[PLAIN.index("--executable-path"):]


class Places(DropInCase):
    def serve_beside(self, *args, **more):
        """A server whose working directory has neighbours in self.folder."""
        self.here = self.folder / "here"
        self.here.mkdir(exist_ok=True)
        return self.serve(*args, cwd=self.here, **more)

    def test_an_output_directory_beside_the_workspace(self):
        """Links and generated code have the relative path."""
        client = self.serve_beside("--output-dir", self.folder / "beside", "--caps", "pdf")
        answer = self.open(client, "<script>console.error('e')</script>")
        self.assertRegex(answer.section("Snapshot"), r"^- \[Snapshot\]\(\.\./beside/page-[\w-]+\.yml\)$")
        self.assertRegex(answer.section("Events"), r"^- New console entries: \.\./beside/console-[\w-]+\.log#L1$")
        answer = self.call(client, "browser_pdf_save")
        link = re.fullmatch(r"- \[Page as pdf\]\((\.\./beside/page-[\w-]+\.pdf)\)", answer.result)
        self.assertTrue(link, answer)
        self.assertEqual(answer.code, f"await page.pdf({{\n  path: '{link[1]}'\n}});")
        self.assertTrue((self.here / link[1]).read_bytes().startswith(b"%PDF"))

    def test_any_file_beside_the_workspace(self):
        client = self.serve_beside("--allow-unrestricted-file-access")
        self.open(client, "x")
        answer = self.call(client, "browser_evaluate", function="() => 1", filename=str(self.folder / "far" / "one.json"))
        self.assertEqual(answer.result, "- [Evaluation result](../far/one.json)")

    def test_absolute_paths(self):
        client = self.serve_beside("--output-dir", self.folder / "beside", "--file-paths", "absolute")
        self.assertIn(f"- [Snapshot]({self.folder / 'beside'}/page-", self.open(client, "x").section("Snapshot"))

    def test_the_folders_of_a_trace_exist_from_its_start(self):
        client = self.serve_beside("--caps", "devtools")
        self.call(client, "browser_start_tracing")
        names = sorted(path.name for path in (self.here / ".playwright-mcp/traces").iterdir())
        stacks = [] if REFERENCE else ["trace-N.stacks"]
        self.assertEqual([re.sub(r"\d+", "N", name) for name in names], ["resources", "screencast", "trace-N.network", *stacks, "trace-N.trace"])


class Profiles(DropInCase):
    """Each workspace has a profile of its own, whose folder has the beginning of a digest of its path in its name."""

    def profile(self, **more):
        """The names of the profiles after one client."""
        profiles = self.folder / "profiles"
        client = self.serve("--headless", "--no-sandbox", *EXECUTABLE, plain=False,
                            env={"PWMCP_PROFILES_DIR_FOR_TEST": str(profiles)}, **more)
        self.open(client, "x")
        client.close_stdin()
        client.wait()
        return {path.name for path in profiles.iterdir()}

    @staticmethod
    def digest(path):
        return hashlib.sha256(str(path).encode()).hexdigest()[:7]

    def test_the_working_directory(self):
        self.assertEqual(self.profile(), {f"mcp-chrome-{self.digest(self.folder)}"})

    def test_the_first_root(self):
        roots = [self.folder / "work", self.folder / "other"]
        self.assertEqual(self.profile(roots=[root.as_uri() for root in roots]), {f"mcp-chrome-{self.digest(roots[0])}"})


if __name__ == "__main__":
    main()
