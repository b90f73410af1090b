"""Each session has a clipboard of its own."""
from support.case import main
from support.engine import ENGINE
from support.http_case import HttpPagesCase

FIELDS = """<input id="from" value="the secret"><textarea id="to"></textarea><div id="rich" contenteditable></div>
<p id="text">Some <b>bold</b> text</p><script>
addEventListener('paste', event => window.pasted = [...event.clipboardData.types].map(type => type + '=' + event.clipboardData.getData(type)).join(';'))
</script>"""
CUSTOM = """<script>addEventListener('copy', event => { event.clipboardData.setData('text/plain', 'plain');
event.clipboardData.setData('application/x-own', 'own'); event.preventDefault() })</script>"""
READ = "() => navigator.clipboard.readText().catch(error => error.name)"


class Clipboard(HttpPagesCase):
    def ask(self, client, tool, **arguments):
        return client.request("tools/call", {"name": "browser_" + tool, "arguments": arguments})["content"][0]["text"]

    def show(self, body=FIELDS):
        client = self.client()
        self.ask(client, "navigate", url=self.pages.page(body))
        return client

    def press(self, client, selector, *keys):
        self.ask(client, "click", element="it", target=selector)
        for key in keys:
            self.ask(client, "press_key", key=key)

    def value(self, client, expression):
        return self.ask(client, "evaluate", function=f"() => {expression}").split("\n")[1]

    def copy(self, client, key="Control+c"):
        self.press(client, "#from", "Control+a", key)

    def grant(self, client, names="'clipboard-read', 'clipboard-write'"):
        self.ask(client, "run_code_unsafe", code=f"async page => page.context().grantPermissions([{names}])")

    def test_a_session_pastes_what_it_has_copied(self):
        client = self.show()
        for keys in ("Control+c", "Control+v"), ("Control+Insert", "Shift+Insert"):
            self.copy(client, keys[0])
            self.press(client, "#to", "Control+a", keys[1])
            self.assertEqual(self.value(client, "to.value"), '"the secret"')
        self.copy(client, "Control+x")
        self.assertEqual(self.value(client, "document.querySelector('#from').value"), '""')
        self.press(client, "#from", "Control+v")
        self.assertEqual(self.value(client, "document.querySelector('#from').value"), '"the secret"')

    def test_a_page_takes_part_in_copying_and_pasting(self):
        client = self.show(FIELDS + CUSTOM)
        self.copy(client)
        self.press(client, "#to", "Control+v")
        self.assertEqual(self.value(client, "to.value + ' ' + pasted"), '"plain text/plain=plain;application/x-own=own"')

    def test_formatted_text_is_pasted_without_scripts(self):
        client = self.show(FIELDS + """<script>addEventListener('copy', event => {
            event.clipboardData.setData('text/html', '<b onclick="alert(1)">bold</b><script>alert(1)<' + '/script>'); event.preventDefault() })</script>""")
        self.copy(client)
        self.press(client, "#rich", "Control+v")
        self.assertEqual(self.value(client, "rich.innerHTML"), '"<b>bold</b>"')

    def test_no_other_session_pastes_it(self):
        client, other = self.show(), self.show()
        self.copy(client)
        for key in "Control+v", "Shift+Insert", "Control+Shift+V":
            self.press(other, "#to", key)
            self.assertEqual(self.value(other, "to.value + window.pasted"), '""')

    def test_what_a_script_copies_stays_in_its_session(self):
        client, other = self.show(), self.show()
        self.value(client, "{ document.querySelector('#from').select(); return document.execCommand('copy') }")
        self.press(client, "#to", "Control+v")
        self.assertEqual(self.value(client, "to.value"), '"the secret"')
        self.press(other, "#to", "Control+v")
        self.assertEqual(self.value(other, "to.value + window.pasted"), '""')

    def test_what_a_sandboxed_frame_copies_stays_in_its_session(self):
        inner = self.pages.page("<textarea>inner</textarea>")
        client, other = self.show(f"<iframe sandbox src='{inner}' width=500 height=300></iframe>"), self.show()
        self.ask(client, "run_code_unsafe", code="""async page => { await page.frameLocator('iframe').locator('textarea').click();
            await page.keyboard.press('Control+a'); await page.keyboard.press('Control+c') }""")
        self.press(other, "#to", "Control+v")
        self.assertEqual(self.value(other, "to.value + window.pasted"), '""')

    def test_the_api_reads_only_the_clipboard_of_the_session(self):
        client, other = self.show(), self.show()
        self.assertEqual(self.ask(other, "evaluate", function=READ).split("\n")[1], '"NotAllowedError"')
        self.grant(client)
        self.grant(other)
        self.copy(client)
        self.assertEqual(self.ask(client, "evaluate", function=READ).split("\n")[1], '"the secret"')
        self.assertEqual(self.ask(other, "evaluate", function=READ).split("\n")[1], '""')
        self.value(client, "navigator.clipboard.writeText('written')")
        self.press(client, "#to", "Control+v")
        self.assertEqual(self.value(client, "to.value"), '"written"')
        self.assertEqual(self.ask(other, "evaluate", function=READ).split("\n")[1], '""')
        if ENGINE == "chromium":  # Firefox has no name for this permission
            self.assertEqual(self.value(client, "navigator.permissions.query({name: 'clipboard-read'}).then(it => it.state)"), '"granted"')

    def test_a_text_is_sent_once_for_many_requests(self):
        """A request of 20 bytes asks for megabytes, so those that a page makes at once are answered together."""
        client = self.show()
        self.grant(client)
        self.value(client, "navigator.clipboard.writeText('x'.repeat(1 << 20))")
        before = self.cdp_bytes("sent")
        self.assertEqual(self.value(client, """Promise.all(Array.from({ length: 100 }, () => navigator.clipboard.readText()))
            .then(texts => texts.filter(text => text.length === 1 << 20).length)"""), "100")
        self.assertLess(self.cdp_bytes("sent") - before, 20 << 20)

    def test_only_what_is_granted_is_allowed(self):
        client = self.show()
        self.grant(client, "'clipboard-write'")
        self.value(client, "navigator.clipboard.writeText('written')")
        self.assertEqual(self.ask(client, "evaluate", function=READ).split("\n")[1], '"NotAllowedError"')
        self.ask(client, "run_code_unsafe", code="async page => page.context().clearPermissions()")
        self.assertIn("NotAllowedError", self.value(client, "navigator.clipboard.writeText('more').catch(error => error.name)"))


if __name__ == "__main__":
    main()
