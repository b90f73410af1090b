"""Monaco, the editor of VS Code, with its hidden textarea and with EditContext: code is written with keys and saved to a server."""
from apps.app_case import MODULES, AppCase, files_of, need, task
from support.case import main
from support.pages import Response

PACKAGE = "monaco-editor"
PAGE = """<!doctype html><meta charset=utf-8><title>Editor</title>
<style>#editor { height: 300px; border: 1px solid } </style>
<h1>Editor</h1><div id=editor></div><button id=save disabled>Save</button><output id=note></output>
<script src=/monaco/vs/loader.js></script>
<script>
require.config({ paths: { vs: '/monaco/vs' } });
require(['vs/editor/editor.main'], () => {
	const editor = monaco.editor.create(document.querySelector('#editor'), {
		value: START, language: 'javascript', editContext: EDIT_CONTEXT, ariaLabel: 'Code', automaticLayout: true });
	save.disabled = false;
	save.onclick = async () => {
		await fetch('/save', { method: 'POST', body: editor.getValue() });
		note.textContent = 'Saved.';
	};
});
</script>"""
START = "const first = 1;\\nconst second = 2;\\nconst third = 3;\\n"


class Monaco(AppCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.serve_pages()
        cls.saved = []
        cls.pages.route("/save", cls.save)
        cls.pages.route_folder("/monaco/", files_of(MODULES / PACKAGE / "min", "/monaco/"))
        for mode in ("true", "false"):
            cls.pages.route("/" + mode, PAGE.replace("START", f"'{START}'").replace("EDIT_CONTEXT", mode))

    @classmethod
    def save(cls, request):
        cls.saved.append(request.body.decode().replace("\r\n", "\n"))
        return Response(status=204)

    def each_editor(self, agent, edit, expected):
        """With EditContext, then with a textarea."""
        for mode in ("true", "false"):
            agent.go(self.pages.url("/" + mode))
            agent.click("textbox", None)
            edit(agent)
            self.saved.clear()
            agent.click("button", "Save")
            agent.see_text("Saved.")
            self.assertEqual(self.saved, [expected], f"EditContext: {mode}")

    @task
    def test_replace_everything(self, agent):
        def edit(agent):
            agent.press("Control+a")
            agent.type("textbox", None, "let a = 5;", slowly=True)
        self.each_editor(agent, edit, "let a = 5;")

    @task
    def test_move_with_keys(self, agent):
        def edit(agent):
            agent.press("Control+Home", "ArrowDown", "End")
            agent.type("textbox", None, " // two", slowly=True)
            agent.press("ArrowDown", "Home", "Shift+End", "Delete", "Control+Home")
            agent.type("textbox", None, "// head", slowly=True)
            agent.press("Enter")
        self.each_editor(agent, edit, "// head\nconst first = 1;\nconst second = 2; // two\n\n")

    @task
    def test_indent_undo_and_move_lines(self, agent):
        def edit(agent):
            agent.press("Control+Home", "Tab", "ArrowDown", "Alt+ArrowDown")
            agent.press("Control+End")
            agent.type("textbox", None, "oops", slowly=True)
            agent.press("Control+z")
        self.each_editor(agent, edit, "    const first = 1;\nconst third = 3;\nconst second = 2;\n")


if __name__ == "__main__":
    need(PACKAGE)
    main()
