"""
Pages that never stand still: frames (of the same site and of another), popups, dialogs, file choosers, downloads, workers,
shadow roots and navigations that come and go by timers while tools work on them.
"""
from support.pages import Response

# The parts of a page, each a script of its own. `spare(ms)` is a random delay of up to that many milliseconds.
PARTS = {
    "frames": """
        const put = () => {
            const f = document.createElement('iframe');
            f.src = pick(['/inner', other + '/inner', '/outer', 'about:blank', 'data:text/html,<button>data</button>']);
            stage.append(f);
            setTimeout(() => { f.remove(); put(); }, spare(200));
        };
        for (let i = 0; i < 4; i++) put();""",
    "nested frames": """
        const put = () => {
            const f = document.createElement('iframe');
            f.src = '/outer';
            stage.append(f);
            setTimeout(() => { f.remove(); put(); }, 40 + spare(120));
        };
        for (let i = 0; i < 6; i++) put();""",
    "replaced frames": """
        const f = document.createElement('iframe');
        stage.append(f);
        setInterval(() => { f.src = pick(['/inner', other + '/inner', '/outer']); }, 60);""",
    "popups": """
        let opened;
        setInterval(() => {
            opened?.close();
            opened = open(pick(['/inner', other + '/inner', '/plain', 'about:blank']));
        }, 400);""",
    "dialogs": """
        const ask = () => {
            pick([() => alert('a'), () => confirm('b'), () => prompt('c', 'd')])();
            setTimeout(ask, spare(600));
        };
        setTimeout(ask, spare(600));""",
    "leave question": """
        addEventListener('beforeunload', e => { e.preventDefault(); e.returnValue = 'stay?'; });""",
    "downloads": """
        setInterval(() => { location.href = '/file?' + Math.random(); }, 300);""",
    "workers": """
        setInterval(() => {
            const w = new Worker('/worker.js');
            setTimeout(() => w.terminate(), spare(100));
        }, 80);""",
    "shadow roots": """
        setInterval(() => {
            const host = document.createElement('div');
            const root = host.attachShadow({mode: pick(['open', 'closed'])});
            root.innerHTML = '<button>in shadow</button><input><iframe src=/inner></iframe>';
            stage.append(host);
            setTimeout(() => host.remove(), spare(150));
        }, 50);""",
    "moving elements": """
        setInterval(() => {
            const b = pick([...document.querySelectorAll('button, input, select')]);
            b?.replaceWith(b.cloneNode(true));
        }, 15);""",
    "reload": "setTimeout(() => location.reload(), 200 + spare(1500));",
    "away": "setTimeout(() => { location.href = pick(['/churn?' + Math.random(), other + '/churn', '/plain']); }, 200 + spare(1500));",
    "same-document navigation": "setInterval(() => history.pushState({}, '', '?' + Math.random()), 40);",
    "chatter": """
        setInterval(() => { console.log('line', {a: [1, 2, 3]}, document.body); fetch('/data').catch(() => 0); }, 30);""",
    "busy": "setInterval(() => { const end = performance.now() + spare(120); while (performance.now() < end); }, 200);",
    "drags": """
        for (const e of document.querySelectorAll('button')) {
            e.draggable = true;
            e.ondragstart = () => setTimeout(() => e.remove(), spare(30));
        }""",
    "document.write": """
        setTimeout(() => { document.open(); document.write('<button>written</button>'); document.close(); }, spare(900));""",
    "large": "stage.innerHTML += '<ul>' + '<li><a href=/plain>entry</a>'.repeat(800) + '</ul>';",
}
BODY = """
<button id=a>Press</button> <input id=t value=text> <input type=checkbox id=c> <select id=s><option>one<option>two</select>
<textarea id=l></textarea> <input type=file id=f> <a href=/plain id=k>plain</a> <a href=/file id=d>download</a>
<button id=p onclick="open('/inner')">popup</button> <button id=q onclick="alert(1)">dialog</button>
<button id=r onclick="this.remove()">remove</button> <button id=n onclick="location='/churn'">navigate</button>
<div id=e contenteditable>editable</div><div id=stage></div>
<script>
const pick = list => list[Math.floor(Math.random() * list.length)], spare = ms => Math.random() * ms;
const other = location.protocol + '//' + (location.hostname == 'localhost' ? '127.0.0.1' : 'localhost') + ':' + location.port;
</script>"""
# Selectors and texts that name something in the pages, or nothing.
SELECTORS = ("#a", "#t", "#c", "#s", "#l", "#f", "#k", "#d", "#p", "#q", "#r", "#n", "#e", "iframe", "li", "#gone", "button", "body",
             "getByRole('button', { name: 'Press' })", "getByText('entry').first()", "frameLocator('iframe').first().locator('button')",
             "locator('iframe').contentFrame().getByRole('button')", "[", "//button[1]")


def add_routes(pages, chance):
    """Adds the pages to a page server. Returns the paths that can be navigated to."""
    def churn(_):
        chosen = {*chance.sample(sorted(PARTS), chance.randint(1, 3)), *chance.sample(("frames", "nested frames", "replaced frames"), 1)}
        scripts = "".join(f"<script>{{{PARTS[name]}}}</script>" for name in sorted(chosen))
        return f"<!doctype html><title>{', '.join(sorted(chosen))}</title>{BODY}{scripts}"
    pages.route("/churn", churn)
    pages.route("/outer", "<!doctype html><p>outer</p><iframe src=/inner></iframe><iframe src=/inner></iframe>")
    pages.route("/inner", "<!doctype html><button>inner</button><input><script>setTimeout(() => { document.body.innerHTML += "
                          "'<button>late</button>'; }, 30)</script>")
    pages.route("/plain", f"<!doctype html><title>plain</title>{BODY}")
    pages.route("/worker.js", Response("setInterval(() => { console.log('w'); fetch('/data').catch(() => 0); }, 20)",
                                       content_type="text/javascript"))
    pages.route("/data", Response('{"a": 1}', content_type="application/json"))
    pages.route("/file", Response(b"x" * 5000, content_type="application/octet-stream",
                                  headers=[("Content-Disposition", "attachment; filename=file.bin")]))
    return ("/churn", "/churn", "/churn", "/churn", "/plain", "/outer", "/missing", "/file")
