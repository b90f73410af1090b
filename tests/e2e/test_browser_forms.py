"""browser_select_option and browser_fill_form: which options are selected, which events the page gets, and how failures are reported."""
from support.case import SharedCase, main

NOTES = """<script>
const seen = [];
for (const type of ['input', 'change', 'click'])
	addEventListener(type, event => seen.push(type + ' ' + (event.target.id || event.target.localName)), true);
</script>"""
PLANS = "<select id=plan><option value=f>Free<option value=p>Pro<option value=t disabled>Team</select>"
MANY = "<select id=many multiple><option selected>a<option>b<option>c</select>"


class Forms(SharedCase):
    args = ("--timeout-action", "1000")
    keeps_session = True

    def show(self, body):
        self.ask("browser_navigate", url=self.site.page(NOTES + body))

    def value(self, expression):
        return self.ask("browser_evaluate", function=f"() => {expression}").partition("\n###")[0].removeprefix("### Result\n")

    def select(self, target, *values):
        return self.ask("browser_select_option", target=target, values=list(values))

    def fill(self, *fields):
        return self.ask("browser_fill_form", fields=[
            {"target": target, "name": target, "type": kind, "value": value} for target, kind, value in fields])

    def test_options_by_value_or_label(self):
        self.show(PLANS)
        self.assertIn("selectOption('Pro');\n```\n### Page", self.select("#plan", "Pro"))
        self.assertEqual(self.value("plan.value + seen.splice(0)"), '"pinput plan,change plan"')
        self.select("#plan", "f")
        self.assertEqual(self.value("plan.value + seen.splice(0)"), '"finput plan,change plan"')

    def test_options_as_people_see_them(self):
        """Blanks of any kind count as one, and at the ends as none; what has no picture counts as nothing; accents may be apart."""
        options = {"nbsp": "Los&nbsp;Angeles", "ends": "&nbsp;&nbsp;Child\tcategory&nbsp;", "thin": "Thin&#8201;space", "wide": "東京&#12288;都",
                   "soft": "So&shy;ft", "zero": "&#8203;Zero&#8203;wi&#8205;d&#8288;th&#65279;", "apart": "cafe&#769;", "one": "na&iuml;f"}
        self.show("<select id=s><option>start" + "".join(f"<option value={v}>{label}" for v, label in options.items()) +
                  "<option value=attr label='Two  blanks'>inner text</select>")
        asked = {"Los Angeles": "nbsp", "Child category": "ends", "Thin\tspace": "thin", "東京 都": "wide", "Soft": "soft", "Zerowidth": "zero",
                 "caf\u00e9": "apart", "nai\u0308f": "one", "Two blanks": "attr", "inner  text": "attr", " Los\u00a0Angeles ": "nbsp"}
        for choose in self.select, lambda target, value: self.fill((target, "combobox", value)):
            for words, value in asked.items():
                with self.subTest(words):
                    self.assertNotIn("### Error", choose("#s", words))
                    self.assertEqual(self.value("s.value"), f'"{value}"')
                    self.select("#s", "start")

    def test_the_exact_words_go_first(self):
        self.show("<select id=s><option value=near>a&nbsp;b<option value=exact>a b<option value=third>exact<option value=fourth label=near></select>")
        for words, value in (("a b", "exact"), ("a\u00a0b", "near"), ("exact", "exact"), ("near", "near")):
            self.select("#s", words)
            self.assertEqual(self.value("s.value"), f'"{value}"')
        for words, value in (("exact", "third"), ("near", "fourth"), ("third", "third")):  # a label before a value
            self.fill(("#s", "combobox", words))
            self.assertEqual(self.value("s.value"), f'"{value}"')
        self.show("<select id=s multiple><option value=1>a&nbsp;b<option value=2>c<option value=3>&nbsp;c</select>")
        self.select("#s", "a b", "c")
        self.assertEqual(self.value("[...s.selectedOptions].map(o => o.value)+''"), '"1,2"')

    def test_what_acts_is_a_gesture_of_the_user(self):
        report = "<script>onclick = oninput = () => document.title = navigator.userActivation.isActive</script>"
        for field, call in (("<input>", ("browser_type", {"target": "input", "text": "a"})),
                            (PLANS, ("browser_select_option", {"target": "#plan", "values": ["Pro"]})),
                            ("<input>", ("browser_run_code_unsafe", {"code": "page => page.locator('input').evaluate(e => e.click())"}))):
            with self.subTest(call[0]):
                self.show(field + report)
                self.assertNotIn("### Error", self.ask(call[0], **call[1]))
                self.assertEqual(self.value("document.title"), '"true"')

    def test_what_only_looks_is_none(self):
        self.show("<p id=out></p><script>setInterval(() => out.textContent = navigator.userActivation.hasBeenActive, 5)</script>")
        for _ in range(2):
            self.ask("browser_snapshot", target="#out")
            self.ask("browser_take_screenshot", target="#out", element="the text")
        self.ask("browser_wait_for", text="false")
        self.assertIn(": \"false\"", self.ask("browser_snapshot"))

    def test_choosing_again_fires_nothing(self):
        self.show(PLANS)
        self.assertNotIn("### Error", self.select("#plan", "Free"))
        self.assertEqual(self.value("seen.length"), "0")

    def test_several_options_replace_those_before(self):
        self.show(MANY)
        self.assertIn("selectOption(['b', 'c']);", self.select("#many", "b", "c"))
        chosen = "[...many.selectedOptions].map(o => o.value) + '|' + seen.splice(0)"
        self.assertEqual(self.value(chosen), '"b,c|input many,change many"')
        self.assertIn("selectOption([]);", self.select("#many"))
        self.assertEqual(self.value(chosen), '"|input many,change many"')

    def test_a_label_stands_for_its_list(self):
        self.show(f"<label>Plan {PLANS}</label>")
        self.assertNotIn("### Error", self.select("label", "Pro"))
        self.assertEqual(self.value("plan.value"), '"p"')

    def test_waits_until_the_list_can_be_used(self):
        self.show("<select id=late disabled></select><script>"
                  "requestAnimationFrame(() => requestAnimationFrame(() => { late.disabled = false; late.append(new Option('x')); "
                  "late.append(new Option('y')) }))</script>")
        self.assertNotIn("### Error", self.select("#late", "y"))
        self.assertEqual(self.value("late.value"), '"y"')

    def test_options_that_are_not_there(self):
        self.show(PLANS + MANY)
        for answer in self.select("#plan", "Nope"), self.select("#many", "a", "Nope"):
            self.assertRegex(answer, r'Error: browserBackend\.callTool: <select .* has no option "Nope"\. It has: "')
            self.assertIn("attempting select option action", answer)
        self.assertEqual(self.value("plan.value + many.value + seen.length"), '"fa0"')

    def test_what_cannot_be_chosen_from(self):
        self.show(PLANS + "<p>text</p><select id=off disabled><option>a<option>b</select>")
        self.assertIn("is not a <select> element", self.select("p", "a"))
        self.assertIn("element is not enabled", self.select("#off", "b"))
        self.assertIn("which is disabled", self.select("#plan", "Team"))
        self.assertEqual(self.value("plan.value + off.value"), '"fa"')

    def test_one_pass_over_a_form(self):
        self.show("<input id=name><input type=checkbox id=yes><input type=checkbox id=no checked><input type=radio name=r id=r1 checked>"
                  f"<input type=radio name=r id=r2>{PLANS}<input type=range id=volume max=10>")
        answer = self.fill(("#name", "textbox", "it's"), ("#yes", "checkbox", "true"), ("#no", "checkbox", "false"),
                           ("#r2", "radio", "true"), ("#plan", "combobox", "Pro"), ("#volume", "slider", "7"))
        calls = [line.rpartition(").")[2] for line in answer.splitlines() if line.startswith("await")]
        self.assertEqual(calls, ["fill('it\\'s');", "check();", "uncheck();", "check();", "selectOption('Pro');", "fill('7');"])
        self.assertNotIn("### Page", answer)
        self.assertEqual(self.value("[document.getElementById('name').value, yes.checked, no.checked, r2.checked, plan.value, "
                                    "volume.value].join()"), '"it\'s,true,false,true,p,7"')

    def test_fields_that_come_with_others(self):
        """What was found before the form was begun is found again where a field has replaced it or has made it."""
        self.show("<input id=a oninput=\"rest.innerHTML = '<input id=b><input id=c>'\"><div id=rest><input id=b></div>")
        answer = self.fill(("#a", "textbox", "1"), ("#b", "textbox", "2"), ("#c", "textbox", "3"))
        self.assertNotIn("### Error", answer)
        self.assertEqual(self.value("[...document.querySelectorAll('input')].map(e => e.value).join()"), '"1,2,3"')

    def test_a_field_that_leads_away(self):
        self.show(f"<input id=a oninput=\"location = '{self.site.page('<input id=b>')}'\"><input id=b>")
        self.fill(("#a", "textbox", "1"))
        self.assertNotIn("### Error", self.fill(("#b", "textbox", "2")))
        self.assertEqual(self.value("document.querySelector('#b').value"), '"2"')

    def test_what_is_checked_is_not_clicked(self):
        self.show("<input type=checkbox id=yes checked><div role=switch aria-checked=false id=sw tabindex=0 "
                  "onclick=\"setTimeout(() => this.ariaChecked = 'true')\">on</div>")
        self.assertNotIn("### Error", self.fill(("#yes", "checkbox", "true"), ("#sw", "checkbox", "true")))
        self.assertEqual(self.value("sw.ariaChecked + seen"), '"trueclick sw"')

    def test_words_for_what_is_checked(self):
        self.show("<input type=checkbox id=box><input type=radio id=one><div role=switch aria-checked=false id=sw tabindex=0 "
                  "onclick=\"this.ariaChecked = this.ariaChecked !== 'true'\">on</div>")
        state = "[box.checked, one.checked, sw.ariaChecked].join()"
        for yes, no in (("true", "false"), ("Yes", "NO"), ("on", "Off"), ("checked", "unchecked"), ("1", "0"), (True, False), (1, 0)):
            self.assertNotIn("### Error", self.fill(("#box", "checkbox", yes), ("#one", "radio", yes), ("#sw", "checkbox", yes)))
            self.assertEqual(self.value(state), '"true,true,true"')
            self.assertNotIn("### Error", self.fill(("#box", "checkbox", no), ("#sw", "checkbox", no)))
            self.assertEqual(self.value(state), '"false,true,false"')

    def test_words_that_are_no_state_change_nothing(self):
        self.show("<input id=name><input type=checkbox id=box checked><input type=checkbox id=other>")
        for word in "maybe", "", "Fast", 2:
            answer = self.fill(("#name", "textbox", "a"), ("#box", "checkbox", word), ("#other", "radio", "true"))
            self.assertIn("Invalid input: expected true or false, yes or no, on or off, checked or unchecked, 1 or 0\n  → at fields[1].value", answer)
        self.assertEqual(self.value("document.getElementById('name').value + box.checked + other.checked"), '"truefalse"')

    def test_numbers_are_texts(self):
        self.show("<input id=age type=number><input id=volume type=range max=10>")
        self.assertNotIn("### Error", self.fill(("#age", "textbox", 42), ("#volume", "slider", 7)))
        self.assertEqual(self.value("age.value + ' ' + volume.value"), '"42 7"')

    def test_fields_that_refuse(self):
        self.show("<input type=checkbox id=stuck onclick='return false'><input type=radio id=r checked><p>text</p>" + PLANS)
        self.assertIn("Clicking the checkbox did not change its state", self.fill(("#stuck", "checkbox", "true")))
        self.assertIn("cannot be unchecked", self.fill(("#r", "radio", "false")))
        self.assertIn("is not a checkbox or radio button", self.fill(("p", "checkbox", "true")))
        self.assertIn('has no option "q". It has: "', self.fill(("#plan", "combobox", "q")))

    def test_a_click_that_leaves_the_page(self):
        there = self.site.page("<p>there")
        self.show(f"<input type=checkbox id=go onclick=\"location.href = '{there}'\">")
        self.assertNotIn("### Error", self.fill(("#go", "checkbox", "true")))

    def test_wrong_fields_are_named_with_their_places(self):
        answer = self.ask("browser_fill_form", fields=[{"name": 5}])
        self.assertEqual(answer, """### Error
Invalid arguments for tool "browser_fill_form":
✖ Invalid input: expected string, received undefined
  → at fields[0].target
✖ Invalid input: expected string, received number
  → at fields[0].name
✖ Invalid option: expected one of "textbox"|"checkbox"|"radio"|"combobox"|"slider"
  → at fields[0].type
✖ Invalid input: expected string, received undefined
  → at fields[0].value""")
        self.assertIn("expected object, received number\n  → at fields[0]", self.ask("browser_fill_form", fields=[7]))
        many = self.ask("browser_fill_form", fields=[7] * 900)
        self.assertIn("→ at fields[15]\n✖ and more", many)
        self.assertNotIn("fields[16]", many)
        self.assertIn("at most 1000 items, not 1001\n  → at fields", self.ask("browser_fill_form", fields=[{}] * 1001))
        self.assertIn("received null\n  → at values[1]", self.ask("browser_select_option", target="x", values=["a", None]))

    def test_wrong_fields_change_nothing(self):
        self.show("<input id=name>")
        answer = self.ask("browser_fill_form", fields=[{"target": "#name", "name": "n", "type": "textbox", "value": "a"},
                                               {"target": "#name", "type": "button", "value": [1]}])
        for path in ("fields[1].name", "fields[1].type", "fields[1].value"):
            self.assertIn(f"→ at {path}", answer)
        self.assertIn("→ at fields", self.ask("browser_fill_form", fields="all"))
        self.assertEqual(self.value("document.getElementById('name').value"), '""')


if __name__ == "__main__":
    main()
