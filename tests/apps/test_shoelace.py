"""Shoelace: web components whose controls are in shadow roots, on a page that sends what was chosen to a server."""
import json
import re

from apps.app_case import MODULES, AppCase, files_of, need, task
from support.case import main
from support.pages import Response

PACKAGE = "@shoelace-style/shoelace"
HEAD = """<!doctype html><meta charset=utf-8><title>Shop</title>
<link rel=stylesheet href=/sl/themes/light.css><script type=module src=/sl/shoelace.js></script>
<style>body { margin: 1em; max-width: 40em } sl-select, sl-range { margin: 1em 0 }</style>
<script>
async function send(what) {
	await fetch('/send', { method: 'POST', body: JSON.stringify(what) });
	document.querySelector('#note').textContent = 'Sent.';
}
</script>"""
FORM = HEAD + """<h1>Order</h1><form id=form>
<sl-input name=name label="Full name" required></sl-input>
<sl-textarea name=remark label=Remark></sl-textarea>
<sl-select name=size label=Size placeholder="Choose one"><sl-option value=s>Small</sl-option><sl-option value=l>Large</sl-option></sl-select>
<sl-select name=extras label=Extras multiple clearable><sl-option value=nuts>Nuts</sl-option><sl-option value=milk>Milk</sl-option>
<sl-option value=cream>Cream</sl-option></sl-select>
<sl-radio-group name=pay label=Payment value=cash><sl-radio value=cash>Cash</sl-radio><sl-radio value=card>Card</sl-radio></sl-radio-group>
<sl-range name=sugar label=Sugar min=0 max=10 value=4></sl-range>
<sl-checkbox name=gift>Gift wrap</sl-checkbox><br><sl-switch name=news>Newsletter</sl-switch><br>
<sl-button type=submit variant=primary>Send order</sl-button></form><p id=note></p>
<script>form.onsubmit = event => {
	event.preventDefault();
	const data = new FormData(form);
	send(Object.fromEntries([...new Set(data.keys())].map(key => [key, data.getAll(key).join()])));
};</script>"""
DIALOG = HEAD + """<h1>People</h1><ul id=list><li>Ada</li></ul><sl-button id=add>Add person</sl-button>
<sl-button id=options>Options</sl-button><p id=note></p>
<sl-dialog label="New person" id=dialog><sl-input label=Name id=name autofocus></sl-input>
<sl-button slot=footer id=save variant=primary>Save</sl-button></sl-dialog>
<sl-drawer label=Options id=drawer><sl-checkbox id=compact>Compact</sl-checkbox><sl-button slot=footer id=apply>Apply</sl-button></sl-drawer>
<script>
add.onclick = () => dialog.show();
save.onclick = async () => {
	await dialog.hide();
	const item = document.createElement('li');
	item.textContent = document.querySelector('#name').value;
	list.append(item);
};
options.onclick = () => drawer.show();
apply.onclick = async () => {
	await drawer.hide();
	send({ people: [...list.children].map(item => item.textContent), compact: compact.checked });
};
</script>"""
TABS = HEAD + """<h1>Library</h1><sl-tab-group><sl-tab slot=nav panel=books>Books</sl-tab><sl-tab slot=nav panel=places>Places</sl-tab>
<sl-tab slot=nav panel=actions>Actions</sl-tab>
<sl-tab-panel name=books>Many books.</sl-tab-panel>
<sl-tab-panel name=places><sl-tree selection=leaf><sl-tree-item>Europe<sl-tree-item>Norway</sl-tree-item><sl-tree-item>Spain</sl-tree-item>
</sl-tree-item><sl-tree-item>Asia<sl-tree-item>Japan</sl-tree-item></sl-tree-item></sl-tree></sl-tab-panel>
<sl-tab-panel name=actions><sl-details summary="More actions"><sl-dropdown><sl-button slot=trigger caret>Edit</sl-button><sl-menu>
<sl-menu-item value=copy>Copy</sl-menu-item><sl-menu-item value=sort>Sort by<sl-menu slot=submenu><sl-menu-item value=date>Date</sl-menu-item>
<sl-menu-item value=title>Title</sl-menu-item></sl-menu></sl-menu-item></sl-menu></sl-dropdown></sl-details></sl-tab-panel></sl-tab-group>
<p id=note></p>
<script>
let place = null;
document.addEventListener('sl-selection-change', event => { place = event.detail.selection[0]?.textContent; });
document.addEventListener('sl-select', event => send({ place, action: event.detail.item.value }));
</script>"""


class Shoelace(AppCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.serve_pages()
        cls.sent = []
        cls.pages.route("/send", cls.receive)
        cls.pages.route_folder("/sl/", files_of(MODULES / PACKAGE / "cdn", "/sl/"))
        for name, text in {"form": FORM, "dialog": DIALOG, "tabs": TABS}.items():
            cls.pages.route("/" + name, text)

    @classmethod
    def receive(cls, request):
        cls.sent.append(json.loads(request.body))
        return Response(status=204)

    def prepare(self):
        self.sent.clear()

    @task
    def test_fill_in_a_form(self, agent):
        agent.go(self.pages.url("/form"))
        agent.type("textbox", re.compile("Full name.*"), "Ada Lovelace")
        agent.type("textbox", "Remark", "by noon", slowly=True)
        agent.click("combobox", "Size")
        agent.click("option", "Large")
        agent.click("combobox", "Extras")
        agent.click("option", "Nuts")
        agent.click("option", "Cream")
        agent.press("Escape")
        agent.click("radio", "Card")
        agent.click("slider", "Sugar")
        agent.press("End", "ArrowLeft")
        agent.click("checkbox", "Gift wrap")
        agent.click("switch", "Newsletter")
        agent.click("button", "Send order")
        agent.see_text("Sent.")
        self.assertEqual(self.sent, [{"name": "Ada Lovelace", "remark": "by noon", "size": "l", "extras": "nuts,cream", "pay": "card", "sugar": "9",
                                      "gift": "on", "news": "on"}])

    @task
    def test_work_in_a_dialog_and_a_drawer(self, agent):
        agent.go(self.pages.url("/dialog"))
        for name in ("Grace", "Alan"):
            agent.click("button", "Add person")
            agent.type("textbox", "Name", name, within=("dialog", None))
            agent.click("button", "Save", within=("dialog", None))
            agent.see_text(name)
        agent.click("button", "Options")
        agent.click("checkbox", "Compact")
        agent.click("button", "Apply")
        agent.see_text("Sent.")
        self.assertEqual(self.sent, [{"people": ["Ada", "Grace", "Alan"], "compact": True}])

    @task
    def test_go_through_tabs_a_tree_and_a_menu(self, agent):
        agent.go(self.pages.url("/tabs"))
        agent.click("tab", "Places")
        agent.click("treeitem", "Europe")
        agent.click("treeitem", "Spain")
        agent.click("tab", "Actions")
        agent.click("button", "More actions")
        agent.click("button", "Edit")
        agent.act("hover", "menuitem", "Sort by")
        agent.click("menuitem", "Title")
        agent.see_text("Sent.")
        self.assertEqual(self.sent, [{"place": "Spain", "action": "title"}])


if __name__ == "__main__":
    need(PACKAGE)
    main()
