"""Sessions that sleep because memory is short: none is lost, each comes back as it was."""
from support import processes
from support.case import BrowserdCase, main

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


class Expiry(SleepCase):
    args = ("--max-sessions", "100", "--max-memory", "160", "--session-timeout", "20000")

    def test_sessions_expire_in_their_sleep(self):
        while not (asleep := self.asleep()):
            self.client.session().navigate(self.first)
        self.repeat(self.states, lambda states: asleep[0] not in states)
        self.assertEqual(self.client.fail("evaluate", sessionId=asleep[0], expression="1").code, "SESSION_EXPIRED")


if __name__ == "__main__":
    main()
