"""
Property 12: what one session stores no other sees. Any mix of cookies, storage, databases, caches and service workers,
written in random order by 2 to 8 sessions at the same time on the same site.
"""
import json

from support.case import ServerCase, main
from support.generate import FEWER, for_all
from support.pages import Response

LIMIT = 8
# Each kind of storage: how to write a value and how to read it, null when there is none.
PAGE = """<!doctype html><title>store</title><script>
const database = () => new Promise((done, fail) => {
	const open = indexedDB.open('d', 1);
	open.onupgradeneeded = () => open.result.createObjectStore('s');
	open.onsuccess = () => done(open.result);
	open.onerror = fail;
});
const request = r => new Promise((done, fail) => { r.onsuccess = () => done(r.result ?? null); r.onerror = fail; });
const write = {
	cookie: v => { document.cookie = 'v=' + v + ';path=/'; },
	http_cookie: v => fetch('/set?v=' + v),
	local: v => { localStorage.v = v; },
	session: v => { sessionStorage.v = v; },
	indexed: async v => {
		const d = await database();
		await request(d.transaction('s', 'readwrite').objectStore('s').put(v, 'v'));
		d.close();
	},
	cache: async v => (await caches.open('c')).put('/cached', new Response(v)),
	worker: async v => {
		await navigator.serviceWorker.register('/worker.js?v=' + v);
		await navigator.serviceWorker.ready;
		if (!navigator.serviceWorker.controller)
			await new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', done, {once: true}));
	},
};
const read = {
	cookie: () => document.cookie.match(/(?:^|; )v=([^;]*)/)?.[1] ?? null,
	http_cookie: async () => (await (await fetch('/seen')).text()) || null,
	local: () => localStorage.v ?? null,
	session: () => sessionStorage.v ?? null,
	indexed: async () => {
		const d = await database();
		const v = await request(d.transaction('s').objectStore('s').get('v'));
		d.close();
		return v;
	},
	cache: async () => (await (await caches.match('/cached'))?.text()) ?? null,
	worker: async () => (await (await fetch('/from-worker')).text()) || null,
};
const everything = async () => { const all = {}; for (const kind in read) all[kind] = await read[kind](); return all; };
</script>"""
WORKER = """self.onactivate = e => e.waitUntil(clients.claim()); self.oninstall = () => skipWaiting();
self.onfetch = e => { if (new URL(e.request.url).pathname == '/from-worker')
	e.respondWith(new Response(new URL(location).searchParams.get('v'))); };"""
KINDS = ("cookie", "http_cookie", "local", "session", "indexed", "cache", "worker")


def cookie_of(request):
    """The value of the cookie that only the server can read."""
    return next((part[2:] for part in request.cookie.split("; ") if part.startswith("h=")), "")


class Isolation(ServerCase):
    args = ("--max-sessions", LIMIT)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages.route("/store", PAGE)
        cls.pages.route("/set", lambda r: Response(headers=[("Set-Cookie", f"h={r.query['v']}; HttpOnly; Path=/")]))
        cls.pages.route("/seen", cookie_of)
        cls.pages.route("/from-worker", "")
        cls.pages.route("/worker.js", Response(WORKER, content_type="text/javascript"))

    def everywhere(self, sessions, expressions):
        """One expression in each session, all at once."""
        replies = [session.start("evaluate", expression=expression) for session, expression in zip(sessions, expressions)]
        return [reply.value()["value"] for reply in replies]

    def check(self, writes):
        """`writes`: for each session, the kinds that it writes to."""
        sessions = [self.client.session() for _ in writes]
        try:
            for reply in [session.start("navigate", url=self.pages.url("/store")) for session in sessions]:
                self.assertTrue(reply.value()["success"])
            self.everywhere(sessions, [
                f"(async () => {{ for (const kind of {json.dumps(kinds)}) await write[kind]('s{number}'); }})().then(() => 1)"
                for number, kinds in enumerate(writes)])
            for number, (kinds, seen) in enumerate(zip(writes, self.everywhere(sessions, ["everything()"] * len(writes)))):
                self.assertEqual({kind: seen[kind] for kind in KINDS}, {kind: f"s{number}" if kind in kinds else None for kind in KINDS})
        finally:
            for reply in [session.start("close_session") for session in sessions]:
                reply.result()

    def test_12_nothing_is_shared(self):
        for_all(lambda chance: [sorted(chance.sample(KINDS, chance.randint(0, 4))) for _ in range(chance.choice((2, 2, 2, 3, 3, 4, 8)))],
                self.check, FEWER, valid=lambda writes: len(writes) >= 2 and all(set(kinds) <= set(KINDS) for kinds in writes))

    def test_12_the_http_cache_is_not_shared(self):
        """An answer that may be cached for ever is asked for once by each session, and by none twice."""
        def check(count):
            url = self.pages.route(self.pages.unique(), Response("x", headers=[("Cache-Control", "max-age=3600")]))
            sessions = [self.client.session() for _ in range(count)]
            ask = f"fetch('{url}').then(r => r.text()).then(() => fetch('{url}')).then(r => r.text())"
            for reply in [session.start("navigate", url=self.pages.url("/store")) for session in sessions]:
                reply.value()
            self.assertEqual(self.everywhere(sessions, [ask] * count), ["x"] * count)
            self.assertEqual(len(self.pages.requests(url)), count)
            for reply in [session.start("close_session") for session in sessions]:
                reply.result()
        for_all(lambda chance: chance.choice((2, 2, 3, 4)), check, FEWER, valid=lambda count: count >= 2)

    def test_12_a_new_session_finds_nothing_of_a_closed_one(self):
        def check(kinds):
            for _ in range(2):
                session = self.client.session()
                session.navigate(self.pages.url("/store"))
                seen = session.evaluate("everything()")
                self.assertEqual([seen[kind] for kind in KINDS], [None] * len(KINDS))
                session.evaluate(f"(async () => {{ for (const kind of {json.dumps(kinds)}) await write[kind]('old'); }})().then(() => 1)")
                session.close()
        for_all(lambda chance: sorted(chance.sample(KINDS, chance.randint(1, 3))), check, cases=25)


if __name__ == "__main__":
    main()
