"""Nothing that is on the page is missing in the compact form: names, texts, values, states, controls, pictures, overlays."""
import re

from support.case import main
from support.compact import CompactCase, ref_of

PNG = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'/>"


class Names(CompactCase):
    keeps_session = True

    def test_of_groups_without_a_role(self):
        view = self.show("""<div aria-label=Chart style='width:9px;height:9px'></div><div aria-label=Same>Same</div><div aria-label=Label>words</div>
            <p aria-label=Paragraph>Paragraph</p><ul><li>Item <i aria-label=verified style='display:inline-block;width:9px;height:9px'></i></ul>
            <span aria-label='4 of 5'>****</span> <time aria-label='5 March'>Thu</time>""")
        for text in ('group "Chart"', "Same", 'group "Label": words', "Paragraph", 'Item | group "verified"', '"4 of 5": ', 'group "5 March": Thu'):
            self.assertIn(text, view)
        self.assertNotIn('"Same"', view)

    def test_of_signs_in_cells(self):
        view = self.show("""<table><tr><th>User<th>Active<tr><td>Ann<td><i title=Yes style='display:inline-block;width:9px;height:9px'></i>
            <tr><td>Bob<td><i aria-label=No style='display:inline-block;width:9px;height:9px'></i></table>""")
        self.assertIn("Ann | Yes", view)
        self.assertIn("Bob | No", view)
        self.assertRegex(self.ask("browser_read"), r"Ann \| Yes")
        self.assertIn("Ann | Yes", self.ask("browser_find", text="Yes"))

    def test_where_there_is_none(self):
        view = self.show("""<button><svg width=16 height=16><use href='/icons.svg#trash'/></svg></button><button><i class='fa fa-bell'></i></button>
            <button id=go style='width:9px;height:9px'></button><input name=q><input placeholder=Find name=p>""")
        for text in ('hint="trash"', 'hint="fa-bell"', 'hint="go"', 'hint="q"', 'textbox "Find"'):
            self.assertIn(text, view)
        self.assertNotIn('hint="p"', view)


    def test_of_lists_maps_frames_and_abbreviations(self):
        picture = PNG % (100, 50)
        view = self.show(f"""<select aria-label=One><option>none<optgroup label=cold><option>Blue<optgroup label=gone hidden><option>Lost</select>
            <select aria-label=Many multiple><optgroup label=warm><option>Red</optgroup></select><select aria-label=Labelled><option label='Two words'>x</select>
            <img alt=Map usemap='#map' src="{picture}"><map name=map><area shape=rect coords=0,0,50,50 href=#west alt=West onclick='out.textContent = "West it is"'></map>
            <iframe title='Payment form' srcdoc='<p>Pay'></iframe><p>The <abbr title='World Health Organization'>WHO</abbr> said<p id=out>""")
        for text in (r'combobox "One" \S+: "none" selected \| group "cold": Blue\n', r'listbox "Many" \S+: group "warm": option "Red"', "Two words selected",
                     r'iframe "Payment form" \S+\n Pay', r"The WHO \(World Health Organization\) said"):
            self.assertRegex(view, text)
        self.assertIn("+ West it is", self.click(ref_of(view, 'link "West"')))


SHAPES = """<svg width=160 height=70><rect x=5 y=5 width=10 height=10 fill=red /><circle cx=100 cy=20 r=10 fill=blue /><polygon points='20,60 40,60 30,40' fill='#123456' />
    <text x=60 y=60 font-size=20 fill=magenta>K</text><line x1=5 y1=65 x2=60 y2=35 stroke=black /></svg>"""


class Hints(CompactCase):
    """Words for what has no name: enough to choose it by its shape, colour, size and place."""
    keeps_session = True

    def test_of_shapes(self):
        view = self.show(f"<p>Which?</p>{SHAPES}<button>None</button>")
        self.assertRegex(view, r'img \S+ size=160x70 hint="red rect 10x10 at 10,10, blue circle 20x20 at 100,20, #123456 polygon 3 corners 20x20 at 30,50, '
                         r'magenta text K \d+x\d+ at \d+,\d+, black line from 5,65 to 60,35": K')
        view = self.show(f"{SHAPES}<script>for (const shape of document.querySelector('svg').children) shape.onclick = () => 0</script>")
        for text in ("clickable R rect fill=red size=10x10 at=10,10", "clickable R circle fill=blue size=20x20 at=100,20",
                     "clickable R polygon corners=3 fill=#123456 size=20x20 at=30,50", "clickable R text fill=magenta size=", "clickable R line stroke=black size=55x30"):
            self.assertRegex(view, text.replace("R", r"\S+"))

    def test_of_what_is_no_shape(self):
        """Elements of HTML by such names, shapes outside of pictures, pictures in pictures."""
        view = self.show("""<svg width=200 height=100><foreignObject width=90 height=50><line>HTML</line></foreignObject><clipPath><line x2=9 y2=9 /></clipPath>
            <svg width=40 height=40><circle cx=20 cy=20 r=5 fill=red /></svg><line x1=100 y1=0 x2=150 y2=40 stroke=red /></svg><p id=bare></p><script>
            const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle'); circle.onclick = () => 0; bare.append(circle)</script>""")
        self.assertIn('size=200x100 hint="red circle 10x10 at 20,20, red line from 100,0 to 150,40"', view)

    def test_of_many_shapes(self):
        circles = "".join(f"<circle cx={20 * i + 10} cy=10 r=5 fill={'red' if i % 3 else 'green'} />" for i in range(30))
        self.assertIn('hint="10 green circle 10x10, 20 red circle 10x10"', self.show(f"<svg width=600 height=30>{circles}</svg>"))

    def test_of_boxes(self):
        """Those of a drawing are counted, those that are pressed have their colour."""
        box = "<i style='float:left;margin:1px;width:10px;height:10px;background:{}'></i>"
        view = self.show(f"""<div style='width:60px;height:40px'>{box.format('green') * 3}{box.format('')}{box.format('green')}</div>
            <div onclick=0 style='width:20px;height:20px;border-radius:50%;background:teal'></div><button style='width:20px;height:20px;background:red'></button>""")
        self.assertIn('hint="3 green box 10x10, box 10x10, green box 10x10"', view)
        self.assertRegex(view, r"clickable \S+ circle color=teal")
        self.assertRegex(view, r'button \S+ hint="red box 20x20"')

    def test_of_places(self):
        star = "<i class='star{}' tabindex=0 style='display:inline-block;width:20px;height:20px'></i>"
        view = self.show(f"""<div>{star.format(' on')}{star.format('')}{star.format('')}</div><div>{"<p><input type=checkbox><input type=checkbox></p>" * 2}</div>
            <table>{"<tr><td><button></button><td><button></button>" * 2}</table><ul>{"<li>Item <button class=remove></button>" * 3}</ul>""")
        for text in (r'clickable \S+ hint="star on"', r'clickable \S+ hint="star, 3 of 3"', r'checkbox \S+ hint="row 2, 1 of 2"', r'button \S+ hint="row 1, 2 of 2"',
                     r'Item \| button \S+ hint="remove"'):
            self.assertRegex(view, text)

    def test_follow_their_neighbours(self):
        """A row that a view takes over from the one before has the places of its controls as they are now."""
        row = "<p><input type=checkbox><input type=checkbox></p>"
        view = self.show(f"<button onclick=\"board.insertAdjacentHTML('afterbegin', '{row}')\">More</button><div id=board>{row * 2}</div>")
        last = re.findall(r'(\S+) hint="row 2, 2 of 2"', view)[0]
        self.click(ref_of(view, 'button "More"'))
        self.assertIn(f'checkbox {last} hint="row 3, 2 of 2"', self.view())


class Details(CompactCase):
    keeps_session = True

    def test_the_summary_opens_and_closes(self):
        view = self.show("<details><summary>Shipping</summary>by <b>post</b> <button>Change</button></details><details>without</details>")
        self.assertNotIn("post", view)
        self.assertNotIn("without", view)
        self.assertRegex(view, r"group \S+ collapsed clickable: Details")
        answer = self.click(ref_of(view, 'summary "Shipping"'))
        self.assertRegex(answer, r'summary "Shipping" \S+ expanded')
        self.assertRegex(answer, r'by post \| button "Change"')
        self.assertRegex(self.click(ref_of(answer, 'summary "Shipping"')), r'summary "Shipping" \S+ collapsed')


class Values(CompactCase):
    keeps_session = True

    def test_of_what_is_edited(self):
        view = self.show("""<div role=textbox tabindex=0>fake</div><div role=textbox contenteditable aria-label=Label>edit one</div>
            <div role=textbox contenteditable aria-label=Rich>one <b>two</b> three</div><div contenteditable id=plain>plain edit</div>
            <div role=textbox contenteditable aria-label=Same>Same</div><input aria-label=Name value=Name>""")
        for text in (r"textbox \S+: fake", r'textbox "Label" \S+: edit one', r'textbox "Rich" \S+: one two three', r"textbox \S+: plain edit",
                     r'textbox "Same" \S+: Same', r'textbox "Name" \S+: Name'):
            self.assertRegex(view, text)
        answer = self.ask("browser_type", target=ref_of(view, 'textbox "Label"'), text="typed")
        self.assertRegex(answer, r'~ textbox "Label" \S+ active: typed')

    def test_of_what_is_edited_and_has_a_role(self):
        view = self.show("""<h1 contenteditable>Title</h1><ul><li contenteditable>Item</li><li>Other</ul><blockquote contenteditable>Quote</blockquote>
            <div role=status aria-disabled=true aria-invalid=true>Status</div><img alt='' width=9 height=9 onclick='' style='background:red'><p role=presentation onclick=''>Presented""")
        for text in (r'h1 "Title" \S+ editable', r'listitem \S+ editable: Item \| Other', r'textbox \S+: Quote', 'status \\S+ disabled invalid: Status',
                     r'clickable \S+ color=red', r'clickable \S+: Presented'):
            self.assertRegex(view, text)

    def test_of_ranges(self):
        keys = "onkeydown=\"this.setAttribute('aria-valuenow', +this.getAttribute('aria-valuenow') + 1)\" style='width:90px;height:9px'"
        view = self.show(f"""<div role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=10 aria-valuenow=2 {keys}></div>
            <div role=slider tabindex=0 aria-label=Stars aria-valuenow=3 aria-valuetext='3 stars' {keys}></div>
            <div role=separator tabindex=0 aria-label=Split aria-valuenow=30 {keys}></div>
            <progress aria-label=Copy value=3 max=10></progress><meter aria-label=Disk value=.4></meter>""")
        for text in (r'slider "Volume" \S+ min=0 max=10: 2', r'slider "Stars" \S+: 3 stars', r'separator "Split".*: 30', r'progressbar "Copy" max=10: 3', r'meter "Disk": 0.4'):
            self.assertRegex(view, text)
        self.click(ref_of(view, 'slider "Volume"'))
        self.assertRegex(self.ask("browser_press_key", key="ArrowRight"), r'~ slider "Volume" \S+ active min=0 max=10: 3')

    def test_of_custom_elements(self):
        """They have roles, names, values and states by ElementInternals, in no attribute."""
        view = self.show("""<x-slider></x-slider><label>Agree <x-check></x-check></label><div id=host></div><fieldset disabled><x-press>Press</x-press></fieldset><script>
            const define = (name, role, more) => customElements.define(name, class extends HTMLElement { static formAssociated = true;
                constructor() { super(); Object.assign(this.internals = this.attachInternals(), { role, ...more }) }
                connectedCallback() { Object.assign(this, { tabIndex: 0, style: 'display:inline-block;width:50px;height:9px',
                    onkeydown: () => { this.internals.ariaValueNow = String(Number(this.internals.ariaValueNow) + 1) } }) } });
            define('x-slider', 'slider', { ariaLabel: 'Volume', ariaValueNow: '7', ariaValueMax: '10' }); define('x-check', 'checkbox', { ariaChecked: 'mixed' });
            define('x-press', 'button', { ariaPressed: 'true' }); define('x-part', 'switch', { ariaLabel: 'Part', ariaChecked: 'true' });
            host.attachShadow({ mode: 'open' }).innerHTML = '<x-part></x-part>'</script>""")
        for text in (r'slider "Volume" \S+ max=10: 7', r'checkbox "Agree" \S+ checked=mixed', r'switch "Part" \S+ checked', r'button "Press" \S+ disabled pressed'):
            self.assertRegex(view, text)
        self.click(ref_of(view, 'slider "Volume"'))
        self.assertRegex(self.ask("browser_press_key", key="ArrowRight"), r'~ slider "Volume" \S+ active max=10: 8')

    def test_states_that_only_aria_has(self):
        view = self.show("""<ol><li aria-current=step>Pay</ol><table><tr><th aria-sort=ascending>Name</table><input aria-label=Mail required readonly>
            <button aria-expanded=false>Menu</button><div role=region aria-label=Feed aria-busy=true>feed</div>
            <div role=listbox tabindex=0 id=list aria-activedescendant=two aria-label=List><div role=option>One</div><div role=option id=two>Two</div></div>
            <script>list.focus()</script>""")
        for text in ("current=step", "sort=ascending", "required readonly", r'button "Menu" \S+ collapsed', 'region "Feed" .*busy', r'option "Two" \S+ activedescendant'):
            self.assertRegex(view, text)


    def test_of_fields_that_the_browser_draws(self):
        view = self.show(f"""<input type=date aria-label=Day><input type=time aria-label=At value=10:00><input type=file aria-label=Report id=file>
            <button popovertarget=menu>Menu</button><div popover id=menu>Popped up</div><div role=separator tabindex=0 aria-label=Split aria-valuenow=30>|</div>
            <div role=radiogroup tabindex=0 aria-label=Sizes><div role=radio>S</div></div>
            <div tabindex=0><ol>{"<li>of a <b>list</b>" * 30}</ol></div><script>const files = new DataTransfer();
            files.items.add(new File([], 'june report.txt')); file.files = files.files</script>""")
        for text in (r'textbox "Day" \S+ placeholder="YYYY-MM-DD"', r'textbox "At" \S+: 10:00', r'button "Report" \S+ file: june report.txt',
                     r'separator "Split" \S+: 30', r'group \S+: of a list', r'radiogroup "Sizes" \S+: radio "S"', r'button "Menu" \S+ collapsed'):
            self.assertRegex(view, text)
        answer = self.click(ref_of(view, 'button "Menu"'))
        self.assertRegex(answer, r'button "Menu" \S+ expanded')
        self.assertIn("+ Popped up", answer)


REACTS = """<label for=file id=a style='border:1px solid'>Choose</label><input type=file id=file style='display:none'><label>Attach <input type=file hidden></label>
<div onclick=''>Attribute</div><div tabindex=0>Focusable</div><li id=item>Item</li><table><tr id=row><td>Row with<td>listener</table><div contenteditable>Edit</div>
<p id=paragraph>Paragraph</p><h3 id=heading>Heading</h3><svg width=90 height=30><g id=shape><text y=20>Drawn</text></g></svg>
<article id=card>Card <p>with text</p></article><x-host id=host></x-host><div>Plain one</div><p>Plain two</p>
<div role=grid><div role=row><span role=gridcell tabindex=-1>Cell</span></div></div><script>
customElements.define('x-host', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<span>Hosted</span>' } });
for (const one of [item, row, paragraph, heading, shape, card, host]) one.addEventListener('pointerdown', () => {})</script>"""


class Controls(CompactCase):
    keeps_session = True

    def test_what_reacts_has_a_ref(self):
        view = self.show(REACTS)
        for text in (r"clickable e\d+ file: Choose", r"clickable e\d+ file: Attach", r"clickable e\d+: Attribute", r"clickable e\d+: Focusable",
                     r"listitem e\d+ clickable: Item", r"row e\d+ clickable: Row with \| listener", r"textbox e\d+: Edit", r"clickable e\d+: Paragraph",
                     r'h3 "Heading" e\d+ clickable', r"clickable e\d+ g .*: Drawn", r"article e\d+ clickable: Card", r"clickable e\d+: Hosted",
                     r'gridcell "Cell" e\d+'):
            self.assertRegex(view.replace("f1e", "e"), text)
        self.assertRegex(view, "Plain one \\| Plain two")

    def test_the_root_of_a_framework_is_none(self):
        """It listens for everything, and nothing in it is more of a control for that."""
        view = self.show("""<div id=root><p>Text</p></div><script>
            for (let i = 0; i < 40; i++) root.addEventListener(i ? 'event' + i : 'click', () => {})</script>""")
        self.assertRegex(view, r"\nText$")

    def test_what_only_a_transform_empties(self):
        view = self.show("""<div style='transform: scale(0)'><button>Growing</button></div><div style='transform: scaleY(0)' role=listbox>
            <div role=option>Row</div></div><form style='scale: 0'><a href=x>Away</a><input name=offsetWidth></form><button style='width:0;padding:0;border:0'>Flat</button>""")
        for row in ('button "Growing" e', 'option "Row" e', 'link "Away" e'):
            self.assertIn(row, view)
        self.assertNotIn('"Flat" e', view)

    def test_the_label_of_a_tree_item_is_pressed(self):
        view = self.show("""<ul role=tree><li role=treeitem aria-expanded=true onclick="event.stopPropagation(); shown.textContent = 'branch'"><span>Branch</span>
            <ul role=group><li role=treeitem onclick="event.stopPropagation(); shown.textContent = 'leaf'">Leaf</li>
            <li role=treeitem>Other</li></ul></li></ul><p id=shown></p>""")
        self.assertIn("branch", self.click(ref_of(view, 'treeitem "Branch"')))


class Pictures(CompactCase):
    keeps_session = True

    def test_without_a_name(self):
        picture = PNG % (120, 40)
        view = self.show(f"""<img src="{picture}"><img alt='' src="{picture}"><div style="width:90px;height:30px;background:url(&quot;{picture}&quot;)"></div>
            <video width=100 height=50 controls></video><button><img src="{picture}" alt=''> Save</button><svg width=40 height=40><rect width=40 height=40 fill=red /></svg>""")
        self.assertEqual(view.count("size=120x40"), 2)
        self.assertRegex(view, r"img \S+ size=90x30")
        self.assertRegex(view, r"video \S+ size=100x50")
        self.assertRegex(view, r'button "Save" \S+( \||$|\n)')
        self.assertRegex(view, r'img \S+ size=40x40 hint="red rect 40x40 at 20,20"')


class Overlays(CompactCase):
    keeps_session = True

    def test_beside_the_body(self):
        view = self.show("""<h1>Article</h1><script>const wall = document.createElement('div');
            wall.innerHTML = '<div role=dialog aria-label=Cookies><button onclick="wall.remove()">Accept</button></div>'; document.documentElement.append(wall)</script>""")
        self.assertRegex(view, r'dialog "Cookies" \S+(:|\n) ?button "Accept"')
        self.assertIn('- dialog "Cookies"', self.click(ref_of(view, 'button "Accept"')))

    def test_in_a_closed_shadow_root(self):
        view = self.show("""<h1>Article</h1><div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML =
            '<div style="position:fixed;inset:0;background:#fff"><div role=dialog aria-label=Privacy><p>We use cookies.</p><button>Accept</button></div></div>';
            </script>""")
        self.assertRegex(view, r'dialog "Privacy"')
        self.assertIn("We use cookies.", view)
        self.assertRegex(view, r'button "Accept" \S+')


class Once(CompactCase):
    """What is said already is not said again, and lists say first what is chosen."""

    keeps_session = True

    def test_labels_icons_and_empty_logs(self):
        view = self.show("""<style>label { cursor: pointer }</style><label for=a>Yes</label><input type=checkbox id=a>
            <label><input type=checkbox id=b onchange='out.textContent = "wrapped"'> Gift wrap</label>
            <input type=checkbox id=c style='position:absolute;width:1px;height:1px;opacity:0'><label for=c>Drawn</label>
            <a href=#x><img alt=Edit src=x.png> Edit</a><div role=log></div><ul role=menu><li role=menuitem>File<ul role=menu><li role=menuitem>New<li role=menuitem>Open</ul></ul><p id=out>""")
        for text in 'checkbox "Yes" e', 'checkbox "Gift wrap" e', ": Edit":
            self.assertEqual(view.count(text), 1, text)
        self.assertRegex(view, r'clickable e\d+: Drawn')
        self.assertNotRegex(view, r'(?m)clickable e\d+: (Yes|checkbox)|^ *log$')
        self.assertRegex(view, r'menuitem "File" e\d+: menu: menuitem "New" e\d+, menuitem "Open" e\d+')
        self.assertIn("wrapped", self.click(ref_of(view, 'checkbox "Gift wrap"')))

    def test_what_is_beside_a_button_is_not_its_label(self):
        view = self.show("<button onclick='state.textContent = \"saved\"'>Saved</button><p id=state></p><a href=x>Open</a> <span>Open</span><p>"
                         "<label for=n>Name:</label><input id=n> <i>Also</i> <input type=checkbox aria-label=also>")
        self.assertIn("| Open |", view)
        self.assertNotIn("| Name:", view)
        self.assertNotIn("Also", view)
        self.assertIn("+ saved", self.click("button"))

    def test_terms_and_definitions(self):
        view = self.show("<dl><dt>name<dd>Apollo<dt>city:<dd>Bergen<dt>tags<dd>a<dd>b<dt>page<dd><a href=#p>Open</a></dl>")
        for line in "name: Apollo", "city: Bergen", "tags: a | b":
            self.assertRegex(view, rf"(?m)^{re.escape(line)}$")
        self.assertRegex(view, r'(?m)^"page": link "Open" e\d+$')
        self.assertIn("city: Bergen", self.ask("browser_find", text="Bergen"))

    def test_what_is_selected_is_first(self):
        view = self.show("""<table><tr><td>Rows: <select id=n><option>25<option>50</select><td>12</table><select id=long aria-label=Zone></select>
            <select id=many multiple aria-label=Tags></select><script>for (let i = 0; i < 300; i++) { long.add(new Option('Zone ' + i)); many.add(new Option('tag ' + i)); }
            long.selectedIndex = 250; many.options[5].selected = many.options[7].selected = true</script>""")
        self.assertRegex(view, r"Rows:\"?, combobox e\d+: 25 selected and 1 more option \| 12")
        self.assertRegex(view, r'combobox "Zone" e\d+: Zone 250 selected\n … 300 options, cursor c\d+')
        self.assertRegex(view, r'listbox "Tags" e\d+: tag 5 selected, tag 7 selected\n … 300 options, cursor c\d+')
        self.assertIn("50", self.view(target="#n"))
        self.assertIn("Zone 299", self.ask("browser_find", text="Zone 299"))
        answer = self.ask("browser_select_option", target="#long", values=["Zone 3"])
        self.assertRegex(answer, r'~ combobox "Zone" e\d+.*: Zone 3 selected$')
        self.assertNotIn("Zone 250", answer)

    def test_few_options_among_other_things(self):
        view = self.show("""<fieldset><legend>Query</legend><label>Kind <select><option>dog<option selected>cat</select></label> <input aria-label=Name></fieldset>
            <style>h4::after { content: 'required'; padding: 5px }</style><h4>Request body</h4>""")
        self.assertRegex(view, r'group "Query": combobox "Kind" e\d+: dog, cat selected \| textbox "Name" e\d+')
        self.assertIn('"Request body required"', view)

    def test_links_beside_the_main_content(self):
        links = "".join(f"<li><a href=#{i}>Part {i}</a>" for i in range(7))
        view = self.show(f"""<nav aria-label=Site><ul>{links}<li><a href=# aria-current=page>Here, now</a></ul></nav><main><h1>Page</h1>
            <nav aria-label=Pages>{links}</nav></main><nav aria-label=Short><a href=#x>Alone</a></nav>""")
        self.assertRegex(view, r'navigation "Site" e\d+: Part 0, Part 1, .*Part 6, "Here, now" current=page\n … 8 links, cursor c\d+')
        self.assertRegex(view, r'(?m)^ navigation "Pages" e\d+(: list)?: link "Part 0" e\d+ \| ')
        self.assertRegex(view, r'navigation "Short" e\d+: link "Alone" e\d+')
        self.assertRegex("\n".join(self.follow(view)), r'link "Part 3" e\d+')
        self.assertRegex(self.view(target=ref_of(view, 'navigation "Site"')), r'link "Part 3" e\d+')
        self.assertRegex(self.ask("browser_find", text="Part 6"), r'link "Part 6" e\d+')

    def test_an_overlay_in_a_heading_is_on_the_page(self):
        self.show("""<main aria-label=Books><h1>Books <button onclick="this.parentNode.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Filter><p>Choose</p><button>OK</button></div>')">Filter</button></h1></main>""")
        self.assertRegex(self.click("text=Filter"), r'in main "Books" e\d+(, .*)?\n(.*\n)?\+? ?.*dialog "Filter"')


class Words(CompactCase):
    keeps_session = True

    def test_that_are_apart_on_the_screen(self):
        view = self.show("""<div style='display:flex;gap:9px'><span>Item</span><span>$9</span></div><div><b>Total</b><b style='margin-left:9px'>17</b></div>
            <table><tr><td><span style='padding:0 9px'>1</span><span style='padding:0 9px'>2</span></table><p>un<i>believ</i>able</p>""")
        self.assertRegex(view, r"Item( \| | )\$9")
        self.assertIn("Total 17", view)
        self.assertIn("1 2", view)
        self.assertIn("unbelievable", view)


if __name__ == "__main__":
    main()
