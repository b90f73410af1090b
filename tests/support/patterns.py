"""
Ways in which pages react to an action, later than at once. Each has a page, one call of a browser_* tool, and what the
snapshot after it shows once the effect is there.
"""
import base64
import hashlib
import itertools
import time
from collections import namedtuple

from support.pages import Response

# sure: the rule waits for that very thing, so the effect is in the answer however slow the machine is; and the answer
# comes when the effect is there, not when all patience is over.
Pattern = namedtuple("Pattern", "name body tool arguments shows sure")
TABLE = []

OUT = "<p id=out>before</p>"
DONE = "out.textContent = 'after'"
BUTTON = "<button id=go>go</button>" + OUT
FIELD = "<input id=go aria-label=field>" + OUT
HELPERS = """<script>
const done = (text = 'after') => { document.getElementById('out').textContent = text };
const on = (type, run) => document.getElementById('go').addEventListener(type, run);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
</script>"""


def add(name, body, script, tool="click", shows="after", sure=True, **arguments):
    page = f"{body}{HELPERS}<script>{script}</script>"
    if tool != "press_key":
        arguments.setdefault("target", "#go")
    TABLE.append(Pattern(name, page, "browser_" + tool, arguments, shows, sure))


# Within the handler or right behind it
add("in the handler", BUTTON, "on('click', () => done())")
add("after promises", BUTTON, "on('click', async () => { for (let i = 0; i < 20; i++) await null; done() })")
add("batched in a microtask (Vue, Svelte)", BUTTON, """
let queued = false;
const render = () => { queued = false; done() };
on('click', () => { if (!queued) { queued = true; Promise.resolve().then(render) } })""")
add("scheduled by MessageChannel (React)", BUTTON, """
const { port1, port2 } = new MessageChannel();
let slices = 3;
port1.onmessage = () => { if (--slices) port2.postMessage(null); else done() };
on('click', () => port2.postMessage(null))""")
add("loading state, then MessageChannel", BUTTON, """
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => done();
on('click', () => { done('loading'); setTimeout(() => port2.postMessage(null), 20) })""")
add("setState, then an effect with a timer", BUTTON, """
on('click', () => Promise.resolve().then(() => { done('rendered'); setTimeout(() => done(), 100) }))""")
add("queue of an idle callback", BUTTON, "on('click', () => requestIdleCallback(() => done()))", sure=False)

# Timers
for delay in (0, 4, 16, 50, 150, 300, 450):
    add(f"setTimeout {delay}", BUTTON, f"on('click', () => setTimeout(() => done(), {delay}))")
add("loading state, then setTimeout 150", BUTTON, "on('click', () => { done('loading'); setTimeout(() => done(), 150) })")
add("a chain of timers, 4 x 60", BUTTON, """
on('click', async () => { for (let i = 0; i < 4; i++) { done('step ' + i); await pause(60) } done() })""")
add("an empty timer before the late one", BUTTON, "on('click', () => { setTimeout(() => {}, 0); setTimeout(() => done(), 120) })", sure=False)
add("a menu that comes late", "<button id=go aria-haspopup=menu>go</button>", """
on('mousedown', () => setTimeout(() => document.body.insertAdjacentHTML('beforeend',
	'<div role=menu><div role=menuitem>Rename</div></div>'), 80))""", shows="menuitem \"Rename\"")
add("a toast that comes late and goes", "<button id=go>go</button><div id=toasts role=status></div>", """
on('click', () => setTimeout(() => { toasts.textContent = 'Saved'; setTimeout(() => toasts.textContent = '', 3000) }, 100))""",
    shows="Saved", sure=False)
add("a toast at once that goes", "<button id=go>go</button><div id=toasts role=status></div>", """
on('click', () => { toasts.textContent = 'Saved'; setTimeout(() => toasts.textContent = '', 3000) })""", shows="Saved", sure=False)
add("a value set late", BUTTON + "<input id=total aria-label=total>", """
on('click', () => setTimeout(() => { total.value = 'after' }, 120))""")

# Typing
add("debounced search, 150", FIELD, """
let timer;
on('input', () => { clearTimeout(timer); timer = setTimeout(() => done(), 150) })""", "type", text="word")
add("debounced search, 300, then fetch", FIELD, """
let timer;
on('input', () => { clearTimeout(timer); timer = setTimeout(async () => done(await (await fetch('/late?ms=60')).text()), 300) })""",
    "type", text="word")
add("debounced search, key by key", FIELD, """
let timer;
on('input', () => { clearTimeout(timer); timer = setTimeout(() => done(), 200) })""", "type", text="word", slowly=True)
add("a suggestion list after each key", FIELD, """
on('input', event => { done('...'); setTimeout(() => done('after ' + event.target.value), 40) })""", "type", text="word")
add("a plain field", FIELD, "", "type", text="after")
add("validation after leaving the field", FIELD, "on('change', async () => { await pause(60); done() })", "type", text="word",
    submit=True)
add("options that depend on another list", "<select id=go><option>a<option>b</select>" + OUT, """
on('change', async () => { done('...'); done(await (await fetch('/late?ms=50')).text()) })""", "select_option", values=["b"])

# The network
add("fetch 100", BUTTON, "on('click', async () => done(await (await fetch('/late?ms=100')).text()))")
add("skeleton, then fetch 200", BUTTON, "on('click', async () => { done('loading'); done(await (await fetch('/late?ms=200')).text()) })")
add("chained fetches, 3 x 60", BUTTON, """
on('click', async () => { for (let i = 0; i < 3; i++) { const r = await fetch('/late?ms=60&n=' + i); await r.text(); done('part ' + i) } done() })""")
add("fetch 700", BUTTON, "on('click', async () => done(await (await fetch('/late?ms=700')).text()))")
add("fetch, then a timer of 100", BUTTON, "on('click', async () => { await (await fetch('/late?ms=50')).text(); await pause(100); done() })")
add("XMLHttpRequest", BUTTON, """
on('click', () => { const x = new XMLHttpRequest(); x.onload = () => done(x.responseText); x.open('GET', '/late?ms=80'); x.send() })""")
add("a streaming answer", BUTTON, """
on('click', async () => {
	const reader = (await fetch('/stream')).body.pipeThrough(new TextDecoderStream()).getReader();
	for (let text = '', r; !(r = await reader.read()).done;) done(text += r.value);
})""", shows="one two three after")
add("a request whose body is not read", BUTTON, "on('click', () => { fetch('/unread'); done() })")
add("a worker that is ended while it asks", BUTTON, """
on('click', () => {
	const worker = new Worker(URL.createObjectURL(new Blob([`postMessage(1); fetch('${location.origin}/never')`])));
	worker.onmessage = () => setTimeout(() => { worker.terminate(); done() }, 50);
})""")
add("a module loaded on demand", BUTTON, "on('click', async () => (await import('/module.js')).run(done))")
add("a picture whose load event changes the text", BUTTON, """
on('click', () => { const i = new Image(); i.onload = () => done(); i.src = '/picture.svg?' + Math.random() })""")
add("a WebSocket that answers", BUTTON, """
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
socket.onmessage = event => done(event.data);
on('click', () => socket.send('ask'))""")
add("server-sent events", BUTTON, """
const source = new EventSource('/events');
source.onmessage = event => done(event.data);
on('click', () => fetch('/poke', { method: 'POST' }))""")
add("an answer that comes over a WebSocket", BUTTON, """
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/pushes');
socket.onmessage = event => done(event.data);
on('click', () => fetch('/poke', { method: 'POST' }))""")

# Navigation
add("a link", "<a id=go href=/there>go</a>", "")
add("a link from a page that reports its leaving", "<a id=go href=/there>go</a>", """
addEventListener('beforeunload', () => { const x = new XMLHttpRequest(); x.open('POST', '/never'); x.send('bye'); new Image().src = '/hold' })""")
add("a form that is sent", "<form action=/there><input id=go></form>", "", "type", text="a", submit=True)
add("a router", "<button id=go>go</button><main id=main>home</main>", """
on('click', async () => {
	history.pushState({}, '', '#list');
	main.textContent = 'loading';
	const text = await (await fetch('/late?ms=60')).text();
	main.textContent = text;
})""")
add("location set by a timer", BUTTON, "on('click', () => setTimeout(() => { location.href = '/there' }, 100))")

# Frames and style
add("two frames later", BUTTON, "on('click', () => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
add("a chain of ten frames", BUTTON, """
const step = n => n ? requestAnimationFrame(() => { out.style.marginLeft = n + 'px'; step(n - 1) }) : done();
on('click', () => step(10))""")
add("a chain of ten frames that shows nothing", BUTTON, """
const step = n => n ? requestAnimationFrame(() => step(n - 1)) : done();
on('click', () => step(10))""")
add("two frames, then MessageChannel (rc-motion)", BUTTON, """
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => done();
on('click', () => { done('opening'); requestAnimationFrame(() => requestAnimationFrame(() => port2.postMessage(null))) })""")
add("a message task, then three frames and another", BUTTON, """
const post = run => { const { port1, port2 } = new MessageChannel(); port1.onmessage = run; port2.postMessage(null) };
const step = n => n ? requestAnimationFrame(() => step(n - 1)) : post(() => done());
on('click', () => post(() => { done('opening'); step(3) }))""")
add("the end of a transition of 200", BUTTON + "<style>#out { transition: opacity .2s } #out.off { opacity: 0.5 }</style>", """
out.addEventListener('transitionend', () => done());
on('click', () => out.classList.add('off'))""")
add("a colour that fades for 400", BUTTON + "<style>#out { transition: background .4s } #out.on { background: red }</style>", """
on('click', () => { out.classList.add('on'); done() })""")
add("the end of a keyframe animation of 250", BUTTON + """<style>
@keyframes grow { from { height: 0 } to { height: 50px } } .grows { animation: grow .25s }</style>""", """
out.addEventListener('animationend', () => done());
on('click', () => out.classList.add('grows'))""")
add("an accordion", "<details id=go><summary id=sum>go</summary><p>after</p></details>", "", target="summary")
add("lazy content (IntersectionObserver)", BUTTON + "<div id=more hidden>more</div>", """
new IntersectionObserver(entries => { if (entries.at(-1).isIntersecting) done() }).observe(more);
on('click', () => { more.hidden = false })""")
add("ResizeObserver", BUTTON, """
let sizes = 0;
new ResizeObserver(() => { if (sizes++) done() }).observe(out);
on('click', () => { out.style.height = '80px' })""")
add("scrolling by key loads more", FIELD + "<div style='height:5000px'>tall</div>", """
addEventListener('scroll', async () => done(await (await fetch('/late?ms=40')).text()), { once: true })""", "press_key", key="End")
add("a hover card", BUTTON, "on('mouseenter', () => setTimeout(() => done(), 120))", "hover")

# Others that answer
add("a worker that answers", BUTTON, """
const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => setTimeout(() => postMessage(1), 60)'])));
worker.onmessage = () => done();
on('click', () => worker.postMessage(1))""", sure=False)
add("a database (IndexedDB)", BUTTON, """
const opening = indexedDB.open('d', 1);
opening.onupgradeneeded = () => opening.result.createObjectStore('s');
const opened = new Promise(resolve => { opening.onsuccess = () => resolve(opening.result) });
on('click', async () => {
	const database = await opened;
	const put = database.transaction('s', 'readwrite').objectStore('s').put('after', 1);
	put.onsuccess = () => { database.transaction('s').objectStore('s').get(1).onsuccess = event => done(event.target.result) };
})""", sure=False)
add("a message to a frame", BUTTON + "<iframe srcdoc=\"<p id=out>before</p><script>onmessage = () => setTimeout(() => "
    "{ document.getElementById('out').textContent = 'framed' }, 60)</script>\"></iframe>", """
on('click', () => frames[0].postMessage(1, '*'))""", shows="framed")

# Pages that never rest
add("a clock that ticks each 100", BUTTON + "<p id=clock></p>", """
setInterval(() => { clock.textContent = performance.now() }, 100);
on('click', () => done())""")
add("a ticker each 10", BUTTON + "<p id=clock></p>", """
setInterval(() => { clock.textContent = performance.now() }, 10);
on('click', () => done())""")
add("an animation of frames without end", BUTTON + "<p id=clock></p>", """
const spin = () => { clock.style.rotate = performance.now() + 'deg'; requestAnimationFrame(spin) };
spin();
on('click', () => done())""")
add("a chain of timers without end", BUTTON, """
const tick = () => setTimeout(tick, 30);
tick();
on('click', () => setTimeout(() => done(), 50))""", sure=False)
add("a poller each 100", BUTTON, """
setInterval(() => fetch('/late?ms=20'), 100);
on('click', () => done())""")
add("a poller that hangs", BUTTON, """
fetch('/hold');
on('click', () => done())""")
add("a spinner", BUTTON + "<style>@keyframes turn { to { rotate: 1turn } } i { animation: turn 1s infinite }</style><i>x</i>", """
on('click', () => done())""")
add("nothing at all", "<div id=go>text</div>", "", shows="text", sure=False)


def late(request):
    time.sleep(int(request.query["ms"]) / 1000)  # the latency of a server is what the pattern is about
    return Response("after", content_type="text/plain")


def paced(texts):
    for text in texts:
        yield text
        time.sleep(0.06)


def unread(pages):
    def chunks():
        yield b"x" * (4 << 20)
        pages.closing.wait(60)
    return lambda _: Response(chunks(), content_type="text/plain")


def held(pages):
    def hold(_):
        pages.closing.wait(60)
        return Response("")
    return hold


def frame_of(text):
    return bytes([0x81, len(text)]) + text


def upgraded(request, frames):
    key = request.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    return Response(frames, 101, headers=[("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)])


def socket(request):
    """Answers each frame after a while, with a WebSocket frame of text."""
    def frames():
        yield b""
        while request.connection.recv(4096):
            time.sleep(0.08)
            yield frame_of(b"after")
    return upgraded(request, frames())


class Events:
    """Streams of events, and what makes them send one."""

    def __init__(self, pages):
        self.pages, self.pokes, self.count = pages, itertools.count(1), 0

    def chunks(self, opening, event):
        yield opening
        seen = self.count
        while not self.pages.closing.wait(0.05):
            if self.count != seen:
                seen = self.count
                yield event

    def stream(self, _):
        return Response(self.chunks(b": open\n\n", b"data: after\n\n"), content_type="text/event-stream")

    def pushes(self, request):
        return upgraded(request, self.chunks(b"", frame_of(b"after")))

    def poke(self, _):
        self.count = next(self.pokes)
        return Response(status=204)


def install(pages):
    """Puts the patterns on a page server; their URLs, in the order of TABLE."""
    events = Events(pages)
    for path, answer in {
            "/late": late, "/unread": unread(pages), "/hold": held(pages), "/never": held(pages), "/socket": socket,
            "/stream": lambda _: Response(paced([b"one ", b"two ", b"three ", b"after"]), content_type="text/plain"),
            "/module.js": Response("export const run = done => done()", content_type="text/javascript"),
            "/picture.svg": Response("<svg xmlns='http://www.w3.org/2000/svg'/>", content_type="image/svg+xml"),
            "/there": "<title>there</title><p>after", "/events": events.stream, "/pushes": events.pushes, "/poke": events.poke}.items():
        pages.route(path, answer)
    return [pages.page(pattern.body, title=pattern.name) for pattern in TABLE]
