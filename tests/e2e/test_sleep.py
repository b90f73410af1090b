"""Sessions that sleep because memory is short: none is lost, each comes back as it was. MCP_SDK: a folder with React and Vue of npm."""
import itertools
import os
import pathlib
import tempfile

from support import processes
from support.case import BrowserdCase, main
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Response

URL = "https://tools.example/mcp"
SLEPT = "restored after sleep: refs are new"
FORM = """<form><input id=name value=old><input type=password name=secret><textarea name=note>old</textarea>
    <select id=colour><option>red<option>green</select><input type=checkbox name=box><input type=radio name=way value=a checked>
    <input type=radio name=way value=b></form><div id=host></div><p style='height: 3000px'>text</p>
    <script>window.heard = []; document.addEventListener('input', e => heard.push(e.target.id || e.target.name));
    host.attachShadow({mode: 'open'}).innerHTML = '<input name=shadow>'</script>"""
FILL = """(() => { const at = name => document.getElementsByName(name);
    document.getElementById('name').value = WHO; at('secret')[0].value = 'hidden'; at('note')[0].value = 'note of ' + WHO;
    colour.selectedIndex = 1; at('box')[0].click(); at('way')[1].click(); host.shadowRoot.querySelector('input').value = 'below';
    document.cookie = 'who=' + WHO + '; max-age=1000'; localStorage.setItem('who', WHO); sessionStorage.setItem('who', WHO);
    scrollTo(0, 700) })()"""
READ = """(() => { const at = name => document.getElementsByName(name);
    return [document.getElementById('name').value, at('secret')[0].value, at('note')[0].value, colour.value, at('box')[0].checked,
        at('way')[1].checked, host.shadowRoot.querySelector('input').value, document.cookie, localStorage.getItem('who'),
        sessionStorage.getItem('who'), scrollY, history.length] })()"""


def expected(who):
    return [who, "hidden", "note of " + who, "green", True, True, "below", "who=" + who, who, who, 700]


class SleepCase(BrowserdCase):
    args = ("--max-sessions", "100", "--max-memory", "200", "--log-level", "info")

    def setUp(self):
        self.client, self.web = self.start(*self.args), self.pages()
        self.first, self.form = self.web.page("first", title="first"), self.web.page(FORM, title="Form")

    def states(self):
        return {each["sessionId"]: each["state"] for each in self.client.call("list_sessions")["sessions"]}

    def asleep(self):
        return [session for session, state in self.states().items() if state == "sleeping"]

    def begin(self, who):
        session = self.client.session()
        session.navigate(self.first)
        session.navigate(self.form)
        session.evaluate(FILL.replace("WHO", repr(who)))
        session.evaluate("window.untouched = true")
        return session

    def crowd(self, least=0, asleep=3):
        """So many sessions that some of them sleep."""
        sessions = {}
        while len(sessions) < least or len(self.asleep()) < asleep:
            who = f"user{len(sessions)}"
            sessions[who] = self.begin(who)
        return sessions

    def woken_by(self, session):
        """The session sleeps; the answer to the call that wakes it."""
        while session.id not in self.asleep():
            self.client.session().navigate(self.first)
        said = session.ask("browser_evaluate", function="() => 1")
        self.assertIn(SLEPT, said)
        return said

    def check(self, session, who, length=None):
        values = session.evaluate(READ)
        self.assertEqual(values[:-1], expected(who))
        self.assertEqual(values[-1], length or values[-1])
        return values[-1]


class Crowded(SleepCase):
    """What sleeps takes memory as well, with sanitizers 5 MiB."""

    args = ("--max-sessions", "100", "--max-memory", "400", "--log-level", "info")

    def test_two_dozen_sessions(self):
        """Each answers with its page as it was, the oldest first, so that all of them sleep in turn."""
        sessions = self.crowd(24)
        length = self.check(sessions["user23"], "user23")
        for who, session in sessions.items():
            sleeps = session.id in self.asleep()
            said = session.ask("browser_evaluate", function="() => [...heard, window.untouched ? 'as it was' : 'loaded' + ' anew'].join()")
            self.assertEqual(SLEPT in said, "loaded anew" in said, said)
            self.assertTrue(SLEPT in said or not sleeps, said)  # others may have fallen asleep since
            self.check(session, who, length)
            if SLEPT in said:
                self.assertIn("note", said)  # scripts of the page have heard of it
        self.assertEqual(len(self.states()), 24)
        session = sessions["user0"]
        session.ask("browser_navigate_back")
        self.assertEqual(session.evaluate("[document.title, document.body.textContent.trim()]"), ["first", "first"])
        self.assertNotIn("hidden", self.client.stderr())


class Sleeping(SleepCase):
    def test_what_never_sleeps(self):
        staying = self.begin("stays")
        staying.evaluate("addEventListener('beforeunload', e => e.preventDefault()); window.here = true")
        ahead = self.begin("ahead")
        self.crowd()
        self.assertIn(self.states()[staying.id], ("idle", "resting"))
        self.assertEqual(self.states()[ahead.id], "sleeping")
        self.assertTrue(staying.evaluate("here"))

    def test_the_list_shows_the_page_and_no_call_wakes_it(self):
        self.crowd()
        listed = [each for each in self.client.call("list_sessions")["sessions"] if each["state"] == "sleeping"]
        for each in listed:
            self.assertEqual((each["url"], each["title"]), (self.form, "Form"))

    def test_fields_that_nobody_has_filled_are_those_of_the_new_document(self):
        count = itertools.count()
        self.web.route("/shop", lambda request: Response(f"<input name=number value=1><input name=price value={next(count)}>"))
        session = self.client.session()
        session.navigate(self.web.url("/shop"))
        shown = "[...document.querySelectorAll('input')].map(field => field.value)"
        before = session.evaluate(shown)[1]
        session.ask("browser_type", target="[name=number]", text="7")
        self.assertNotIn("filled", self.woken_by(session))
        number, price = session.evaluate(shown)
        self.assertEqual(number, "7")
        self.assertGreater(int(price), int(before))

    def test_fields_that_cannot_be_filled_again_are_counted(self):
        body = """<input type=file><input type=file><iframe srcdoc='<input name=inner><input name=untouched value=1>'></iframe>
            <form><input name=matches><input name=shadowRoot><input name=querySelectorAll></form><script>
            onload = () => { if (sessionStorage.seen) return; sessionStorage.seen = 1; document.body.append(Object.assign(document.createElement('input'), { id: 'made' })) }
            </script>"""
        session = self.client.session()
        session.navigate(self.web.page(body))
        session.evaluate("""(() => { const chosen = new DataTransfer(); chosen.items.add(new File(['1'], 'a.txt'));
            document.querySelector('input').files = chosen.files; frames[0].document.querySelector('input').value = 'x';
            document.getElementById('made').value = 'x'; document.getElementsByName('matches')[0].value = 'x' })()""")
        self.assertIn("Of the fields that were filled, 3 could not be filled again", self.woken_by(session))
        self.assertEqual(session.evaluate("document.getElementsByName('matches')[0].value"), "x")

    def test_pages_that_grow_make_others_sleep(self):
        """Without a new session; the last one stays awake."""
        unused, grows = self.begin("unused"), self.begin("grows")
        grows.evaluate("window.kept = Array.from({length: 40}, () => new Uint8Array(4 << 20).fill(1)); 1")
        states = self.repeat(self.states, lambda states: states[unused.id] == "sleeping")
        self.assertNotEqual(states[grows.id], "sleeping")
        self.assertTrue(grows.evaluate("kept.length === 40"))
        self.check(unused, "unused")

    def test_closing(self):
        sessions = self.crowd()
        asleep = self.asleep()
        for ident in asleep:
            self.assertTrue(self.client.call("close_session", sessionId=ident)["success"])
            self.assertEqual(self.client.fail("evaluate", sessionId=ident, expression="1").code, "SESSION_NOT_FOUND")
        self.assertFalse(set(asleep) & set(self.states()))
        self.check(*list(sessions.items())[-1][::-1])

    def test_the_browser_dies(self):
        """Those that sleep come back, with cookies and storage, in a new browser."""
        sessions = self.crowd()
        asleep = self.asleep()
        browser = self.client.browser()
        browser.kill()
        self.assertEqual(processes.wait_gone({browser}), set())
        left = self.repeat(self.states, lambda states: set(states.values()) == {"sleeping"})
        self.assertLessEqual(set(asleep), set(left))
        for who, session in sessions.items():
            if session.id in left:
                self.check(session, who)


LIBRARIES = {"react": "react/umd/react.production.min.js", "react-dom": "react-dom/umd/react-dom.production.min.js",
             "vue": "vue/dist/vue.global.prod.js"}
GIVEN = '{"name":"old","note":"","gone":"there","box":false,"colour":"red","way":"a"}'
FILLED = '{"name":"new","note":"typed","gone":"","box":true,"colour":"green","way":"b"}'
REACT = """<div id=root>%s</div><script src=/react></script><script src=/react-dom></script><script>
    const e = React.createElement;
    function Form() {
        const [state, set] = React.useState(GIVEN);
        const at = (name, more) => ({ name, onChange: ({ target }) => set(old => ({ ...old, [name]: target.type === 'checkbox' ? target.checked : target.value })), ...more });
        return e('form', null, e('input', at('name', { value: state.name })), e('textarea', at('note', { value: state.note })),
            e('input', at('gone', { value: state.gone })), e('input', at('box', { type: 'checkbox', checked: state.box })),
            e('select', at('colour', { value: state.colour }), e('option', null, 'red'), e('option', null, 'green')),
            ['a', 'b'].map(way => e('input', at('way', { key: way, type: 'radio', value: way, checked: state.way === way }))),
            e('p', { id: 'state' }, JSON.stringify(state)));
    } %s</script>""".replace("GIVEN", GIVEN)
RENDERED = """<form><input name="name" value="old"/><textarea name="note"></textarea><input name="gone" value="there"/><input type="checkbox" \
name="box"/><select name="colour"><option selected="">red</option><option>green</option></select><input type="radio" name="way" checked="" \
value="a"/><input type="radio" name="way" value="b"/><p id="state">STATE</p></form>""".replace("STATE", GIVEN.replace('"', "&quot;"))
VUE = """<div id=app><input name=name v-model=s.name><textarea name=note v-model=s.note></textarea><input name=gone v-model=s.gone>
    <input type=checkbox name=box v-model=s.box><select name=colour v-model=s.colour><option>red</option><option>green</option></select>
    <input type=radio name=way value=a v-model=s.way><input type=radio name=way value=b v-model=s.way><p id=state>{{JSON.stringify(s)}}</p></div>
    <script src=/vue></script><script>Vue.createApp({ data: () => ({ s: GIVEN }) }).mount('#app')</script>""".replace("GIVEN", GIVEN)
STATE = "document.getElementById('state').textContent"


class Frameworks(SleepCase):
    """Frameworks keep what their fields show in a state of their own, which has to learn of it."""

    def setUp(self):
        super().setUp()
        modules = pathlib.Path(os.environ.get("MCP_SDK", ""), "node_modules")
        if not (modules / "react").is_dir():
            self.skipTest("MCP_SDK names no folder with React and Vue")
        for name, file in LIBRARIES.items():
            self.web.route("/" + name, Response((modules / file).read_text("utf-8"), content_type="text/javascript"))

    def woken(self, body):
        """What the form's state is after sleep, and the answer's text."""
        session = self.client.session()
        session.navigate(self.web.page(body))
        self.client.ask("browser_fill_form", sessionId=session.id, fields=[
            {"target": f"[name={name}]{more}", "name": name, "type": kind, "value": value} for name, more, kind, value in (
                ("name", "", "textbox", "new"), ("note", "", "textbox", "typed"), ("gone", "", "textbox", ""), ("box", "", "checkbox", "true"),
                ("colour", "", "combobox", "green"), ("way", "[value=b]", "radio", "true"))])
        self.assertEqual(session.evaluate(STATE), FILLED)
        said = self.woken_by(session)
        return session.evaluate(STATE), said

    def check_all(self, body):
        state, said = self.woken(body)
        self.assertEqual(state, FILLED)
        self.assertNotIn("could not be filled again", said)

    def test_react(self):
        self.check_all(REACT % ("", "ReactDOM.createRoot(root).render(e(Form))"))

    def test_react_takes_over_what_the_server_rendered(self):
        self.check_all(REACT % (RENDERED, "addEventListener('load', () => setTimeout(() => ReactDOM.hydrateRoot(root, e(Form))))"))

    def test_vue(self):
        self.check_all(VUE)


class Tenants(BrowserdCase):
    """Unrelated owners, by OAuth: those who have many sessions do not make those of others sleep before their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.issuer = Issuer(folder.name, URL)
        self.server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", self.issuer.write(), "--public-url", URL, "--max-sessions", "100",
                                 "--max-memory", "250", "--log-level", "info")
        self.addCleanup(self.server.discard)
        self.addCleanup(self.server.close)
        self.page = self.pages().page(FORM, title="Form")

    def tenant(self, name):
        return self.server.client(fields={"Authorization": "Bearer " + self.issuer.token(sub=name)})

    def begin(self, client):
        session = client.call("create_session")["sessionId"]
        client.call("browser_navigate", sessionId=session, url=self.page)
        return session

    def states(self, client):
        return [each["state"] for each in client.call("list_sessions")["sessions"]]

    def test_who_has_most_sleeps_first(self):
        """Though a session of somebody else was used longest ago."""
        small, large = self.tenant("small"), self.tenant("large")
        self.begin(small)
        while self.states(large).count("sleeping") < 3:
            self.begin(large)
            self.assertNotIn("sleeping", self.states(small))

    def test_sessions_that_must_stay_keep_nobody_elses_asleep(self):
        """Pages that ask to stay and grow take all memory: a session of somebody else sleeps, and each call wakes it."""
        small, large = self.tenant("small"), self.tenant("large")
        mine, theirs = self.begin(small), self.begin(large)
        large.call("evaluate", sessionId=theirs, expression="""addEventListener('beforeunload', e => e.preventDefault());
            window.kept = Array.from({length: 100}, () => new Uint8Array(4 << 20).fill(1)); 1""")
        self.repeat(lambda: self.states(small), lambda states: states == ["sleeping"])
        self.assertEqual(small.call("evaluate", sessionId=mine, expression="document.title")["value"], "Form")
        self.assertNotIn("sleeping", self.states(large))


class Expiry(SleepCase):
    args = ("--max-sessions", "100", "--max-memory", "160", "--session-timeout", "20000")

    def test_sessions_expire_in_their_sleep(self):
        while not (asleep := self.asleep()):
            self.client.session().navigate(self.first)
        self.repeat(self.states, lambda states: asleep[0] not in states)
        self.assertEqual(self.client.fail("evaluate", sessionId=asleep[0], expression="1").code, "SESSION_EXPIRED")


if __name__ == "__main__":
    main()
