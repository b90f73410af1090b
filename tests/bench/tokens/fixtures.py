"""The pages of the tasks (tasks.py), and what their scripts ask the server to do."""
import itertools

from site_server import chrome, escape

CUSTOMERS = ("Acme", "Bolt", "Crane", "Delta", "Ember", "Fjord", "Gable", "Harbor", "Iris", "Juno")


def field(name, control, label):
    return f"<div class=field><label for={name}>{label}</label>{control}</div>"


def text_field(name, label, more=""):
    return field(name, f"<input id={name} {more}>", label)


def list_field(name, label, choices):
    return field(name, f"<select id={name}>{''.join(f'<option>{choice}' for choice in choices)}</select>", label)


# ---- sign in ----

def sign_in(state, query):
    return chrome("Sign in", f"<h1>Sign in</h1><form id=f>{text_field('e', 'Email address', 'type=email')}{text_field('p', 'Password', 'type=password')}"
                  "<label><input id=r type=checkbox> Remember me</label><p id=w role=alert></p><button>Sign in</button> <a href='#forgot'>Forgot password?</a>"
                  "</form><p>New here? <a href='#new'>Create an account</a></p>", """
f.onsubmit = async event => {
    event.preventDefault();
    const reply = await send('sign_in', { email: e.value, password: p.value, remember: r.checked });
    if (reply.ok)
        location.assign(at('/account'));
    else
        show('w', 'Wrong email address or password');
};""")


def account(state, query):
    rows = "".join(f"<tr><td><a href='#{n}'>#{n}</a><td>{'shipped' if n % 2 else 'open'}</tr>" for n in range(1031, 1037))
    return chrome("Account", f"<h1>Welcome, Ada</h1><p>You have 3 open orders and 1 message.</p><h2>Orders</h2><table><tr><th>Order<th>State</tr>{rows}</table>")


def do_sign_in(state, data):
    return {"ok": data["email"] == "ada@example.com" and data["password"] == "lovelace-1843"}


# ---- shop ----

LOOKS = ("Canvas", "Steel", "Compact", "Classic", "Travel", "Outdoor", "Studio", "Winter", "Light", "Rugged", "Slim", "Family", "City", "Alpine", "Coast",
         "Nordic", "Urban", "Vintage", "Modern", "Eco")
KINDS = ("Backpack", "Bottle", "Camera Bag", "Desk Lamp", "Earbuds", "Flask", "Gloves", "Headlamp", "Jacket", "Kettle", "Lantern", "Mug", "Notebook",
         "Organizer", "Pillow")
PRICES = ("under $20", "$20 to $50", "$50 to $100", "over $100")


def items():
    for number, (look, kind) in enumerate(itertools.product(LOOKS, KINDS), 1):
        yield number, f"{look} {kind}", f"{5 + number * 37 % 195}.{number % 10}9"


def card(number, name, price):
    return (f"<li class=card><h3><a href='#item{number}'>{name}</a></h3><p>A {name.lower()} that lasts. Ships in {1 + number % 4} days.</p>"
            f"<p><span>★ {3 + number % 20 / 10:.1f}</span> <span>({number * 7 % 400} reviews)</span></p><p><strong>${price}</strong></p>"
            f"<button data-item={number}>Add to cart</button></li>")


def shop(state, query):
    wanted = query.get("q", "")
    found = [item for item in items() if wanted.lower() in item[1].lower()]
    prices = "".join(f"<label><input type=checkbox>{text}</label> " for text in PRICES)
    count = sum(state.values.get("cart", {}).values())
    return chrome("Shop", f"<h1>{'Results for ' + escape(wanted) if wanted else 'All products'}</h1><form action=/shop role=search>"
                  f"<input type=hidden name=run value={state.name}><input type=search name=q aria-label='Search products' value='{escape(wanted)}'><button>Search</button>"
                  f"</form><p>{len(found)} products</p><a href='/cart?run={state.name}'>Cart (<span id=n>{count}</span>)</a><fieldset><legend>Price</legend>{prices}"
                  f"</fieldset><p id=t role=status></p><ul class=grid style='list-style:none'>{''.join(card(*item) for item in found)}</ul>", """
document.addEventListener('click', async event => {
    const item = Number(event.target.dataset?.item);
    if (!item)
        return;
    const reply = await send('add', { item });
    show('n', reply.count);
    show('t', 'Added to cart: ' + reply.name);
});""")


def do_add(state, data):
    cart = state.values.setdefault("cart", {})
    cart[data["item"]] = cart.get(data["item"], 0) + 1
    return {"count": sum(cart.values()), "name": next(name for number, name, _ in items() if number == data["item"])}


def cart_page(state, query):
    cart = state.values.get("cart", {})

    def quantity(number):
        return "".join(f"<option{' selected' if count == cart[number] else ''}>{count}" for count in range(1, 6))

    rows = "".join(f"<tr><td>{name}<td>${price}<td><select aria-label='Quantity of {name}' data-item={number}>{quantity(number)}</select><td><button>Remove</button></tr>"
                   for number, name, price in items() if number in cart)
    return chrome("Cart", f"<h1>Your cart</h1><table><thead><tr><th>Product<th>Price<th>Quantity<th>Actions</tr></thead>{rows}</table>{text_field('v', 'Voucher')}"
                  "<p id=t role=status></p><button id=b>Place order</button> <a href='#shop'>Continue shopping</a>", """
document.addEventListener('change', event => {
    if (event.target.dataset.item)
        send('quantity', { item: event.target.dataset.item, count: Number(event.target.value) });
});
b.onclick = async () => show('t', 'Thank you! Order ' + (await send('order')).number + ' was placed.');""")


def do_quantity(state, data):
    state.values["cart"][int(data["item"])] = data["count"]
    return {}


def do_order(state, data):
    state.values["ordered"] = dict(state.values.get("cart", {}))
    return {"number": "A-4711"}


# ---- a table of 1,000 rows ----

def invoice(n):
    return (f"<tr><td><input type=checkbox aria-label='Select INV-{n:04}'><td>INV-{n:04}<td>{CUSTOMERS[n * 7 % 10]} {'Ltd' if n % 3 else 'GmbH'}"
            f"<td>2026-{1 + n % 12:02}-{1 + n % 28:02}<td>{n * 13 % 4000 + 50}.00 €<td id=s{n}>{'open' if n % 4 else 'in review'}"
            f"<td><button data-n={n} data-do=approve>Approve</button> <button data-n={n} data-do=reject>Reject</button></tr>")


def invoices(state, query):
    head = "".join(f"<th>{name}" for name in ("<input type=checkbox aria-label='Select all'>", "Number", "Customer", "Date", "Amount", "State", "Actions"))
    return chrome("Invoices", f"<h1>Invoices</h1><p>1,000 invoices</p><table><thead><tr>{head}</tr></thead><tbody>{''.join(map(invoice, range(1, 1001)))}</tbody></table>", """
document.addEventListener('click', async event => {
    const { n, do: what } = event.target.dataset;
    if (!n)
        return;
    await send('decide', { n: Number(n), what });
    show('s' + n, { approve: 'approved', reject: 'rejected' }[what]);
});""")


# ---- documentation ----

APIS = ("Search", "Exports", "Reports", "Webhooks", "Billing", "Users")
TOPICS = ("Overview", "Install", "Authentication", "Tokens", "Errors", "Pagination", "Versioning", "Idempotency", "Time zones", "Testing", "Deployment", "Regions",
          "Backups", "Audit log", "Single sign-on", "Roles", "Migration", "Glossary")
PLANS = {"Free": 1, "Team": 3, "Business": 7, "Enterprise": 20}


def limits_of(state):
    """(users, service accounts) by API and plan; other ones in each run, so that they have to be read."""
    return {api: {plan: (state.random.randrange(2, 9) * 10 * factor, state.random.randrange(11, 99) * 10 * factor) for plan, factor in PLANS.items()}
            for api in APIS}


def topic_section(number, topic):
    command = topic.lower().split()[0]
    return (f"<h2 id='{topic}'>{topic}<a class=anchor href='#{topic}' aria-label='Link to {topic}'>#</a></h2><p>{topic} is described here for the current version. "
            f"The console shows the same under <em>Settings</em>. Ask your administrator for <code>{topic.lower().replace(' ', '_')}.enabled</code> if it is missing.</p>"
            f"<pre><code class=language-sh>acme {command} --help\nacme {command} list --json</code></pre><ul><li>It is available in all regions.</li>"
            "<li>Changes take effect within a minute.</li><li>See the <a href='#Glossary'>glossary</a> for the words.</li></ul>"
            f"<p>Since version 3.{number} the defaults are those of new accounts; older accounts keep theirs until they are migrated.</p>")


def limits_section(api, limits):
    rows = "".join(f"<tr><td>{plan}<td>{users} / min<td>{services} / min</tr>" for plan, (users, services) in limits.items())
    return (f"<h3>{api} API</h3><p>The limits of the {api} API are counted per minute and for each address.</p><table><caption>{api} API limits</caption><thead><tr><th>Plan"
            f"<th>Users<th>Service accounts</tr></thead><tbody>{rows}</tbody></table><p>Bursts of the {api} API may be twice as long for ten seconds.</p>")


def docs(state, query):
    limits = state.values.setdefault("limits", limits_of(state))
    index = "".join(f"<li><a href='#{topic}'>{topic}</a></li>" for topic in (*TOPICS, "Rate limits", *(f"{api} API" for api in APIS)))
    return chrome("Documentation", f"<nav aria-label=Contents><ul>{index}</ul></nav><article><h1>Acme platform documentation</h1><p>How to use the platform, its command "
                  f"line and its APIs.</p>{''.join(itertools.starmap(topic_section, enumerate(TOPICS)))}<h2>Rate limits</h2><p>Each API has limits of its own. A request "
                  f"beyond them is answered with 429.</p>{''.join(itertools.starmap(limits_section, limits.items()))}</article>")


# ---- mail ----

SUBJECTS = ("Weekly report", "Lunch on Thursday?", "Your receipt", "Meeting notes", "Invoice overdue", "Welcome aboard", "Build failed", "New comment",
            "Password changed", "Travel plans")


def messages():
    for number in range(1, 51):
        yield number, f"{CUSTOMERS[number * 3 // 10 % 10]} Support", SUBJECTS[number % 10], f"{number % 12 + 8}:{number * 7 % 60:02}"


def mail(state, query):
    rows = "".join(f"<li><input type=checkbox aria-label='Select message {number}'><a href='/message?run={state.name}&n={number}'><span>{sender}</span> <b>{subject}</b> "
                   f"<span>Hello Ada, this is about {subject.lower()}</span></a> <time>{time}</time></li>" for number, sender, subject, time in messages())
    folders = "".join(f"<li><a href='#{name}'>{name}</a></li>" for name in ("Inbox", "Starred", "Sent", "Drafts", "Spam", "Trash"))
    return chrome("Inbox", f"<nav aria-label=Folders><ul>{folders}</ul></nav><h1>Inbox</h1><button>Compose</button><button>Archive</button><button>Delete</button><ul>{rows}</ul>")


def message(state, query):
    number, sender, subject, time = next(one for one in messages() if one[0] == int(query["n"]))
    return chrome(subject, f"<a href='/mail?run={state.name}'>Back to inbox</a><h1>{subject}</h1><p>From {sender} at {time}</p><article><p>Hello Ada,</p>"
                  f"<p>this is about {subject.lower()}. Our number is {1000 + number}. Please answer until Friday.</p><p>Kind regards, {sender}</p></article>"
                  "<div role=toolbar aria-label='Message'><button>Archive</button><button>Delete</button><button>Mark as unread</button></div><h2>Reply</h2>"
                  f"{field('t', '<textarea id=t></textarea>', 'Your reply')}<button id=b data-n={number}>Send reply</button><p id=s role=status></p>", """
b.onclick = async () => {
    await send('reply', { n: Number(b.dataset.n), text: t.value });
    show('s', 'Reply sent');
    t.value = '';
};""")


# ---- calendar ----

def calendar_day(day):
    if not 1 <= day <= 30:
        return "<td></td>"
    entries = f"<li><a href='#e{day}'>{9 + day % 8}:00 {CUSTOMERS[day % 10]} call</a></li>" * (day % 3)
    return f"<td><button data-day={day} aria-label='{day} June'>{day}</button><ul id=d{day}>{entries}</ul></td>"


def calendar(state, query):
    weeks = "".join("<tr>" + "".join(calendar_day(week * 7 + weekday) for weekday in range(7)) + "</tr>" for week in range(5))
    names = "".join(f"<th>{name}" for name in ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"))
    times = [f"{hour:02}:{minute:02}" for hour in range(8, 20) for minute in (0, 30)]
    return chrome("Calendar", "<h1>June 2026</h1><button aria-label='Previous month'>‹</button><button aria-label='Next month'>›</button><table role=grid><thead>"
                  f"<tr>{names}</tr></thead><tbody>{weeks}</tbody></table><p id=s role=status></p><div id=g role=dialog aria-modal=true aria-label='New event' hidden>"
                  f"<h2>New event</h2>{text_field('t', 'Title')}{list_field('a', 'Start', times)}{list_field('l', 'Length', ('30 minutes', '1 hour', '2 hours'))}"
                  "<label><input id=r type=checkbox> Remind me</label><button id=b>Save event</button><button id=c>Cancel</button></div>", """
let day;
document.addEventListener('click', event => {
    if (!event.target.dataset.day)
        return;
    day = Number(event.target.dataset.day);
    g.hidden = false;
    t.focus();
});
c.onclick = () => { g.hidden = true; };
b.onclick = async () => {
    await send('event', { day, title: t.value, start: a.value, length: l.value, remind: r.checked });
    g.hidden = true;
    const entry = document.createElement('li');
    entry.innerHTML = '<a href="#new"></a>';
    entry.firstChild.textContent = a.value + ' ' + t.value;
    document.getElementById('d' + day).append(entry);
    show('s', 'Event saved');
};""")


# ---- a wizard of four steps ----

COUNTRIES = ("Austria", "Belgium", "Canada", "Denmark", "Estonia", "Finland", "Germany", "Hungary", "Iceland", "Japan")


def wizard_step(number, fields):
    back = "<button class=back>Back</button>" if number > 1 else ""
    forward = "<button class=next>Next</button>" if number < 4 else "<button class=finish>Finish</button>"
    return f"<section id=step{number}{'' if number == 1 else ' hidden'}><h2>Step {number} of 4</h2>{fields}<div>{back}{forward}</div></section>"


def wizard(state, query):
    kinds = "".join(f"<label><input type=radio name=type value={name}> {name}</label>" for name in ("Personal", "Business", "Education"))
    steps = (f"<fieldset><legend>Account type</legend>{kinds}</fieldset>",
             text_field("n", "Full name") + text_field("s", "Street") + text_field("c", "City") + list_field("y", "Country", COUNTRIES),
             list_field("p", "Plan", ("Free", "Team", "Business")) + "<label><input id=w type=checkbox> Send me the newsletter</label>"
             "<label><input id=i type=checkbox> Pay by invoice</label>",
             "<p>Please check what you entered.</p><dl id=review></dl><label><input id=k type=checkbox> I accept the terms</label>")
    return chrome("Sign up", f"<h1>Sign up</h1>{''.join(itertools.starmap(wizard_step, enumerate(steps, 1)))}<p id=t role=status></p>", """
let step = 1;
const section = number => document.getElementById('step' + number);
const go = to => {
    section(step).hidden = true;
    section(step = to).hidden = false;
    if (step === 4)
        review.innerHTML = Object.entries(all()).map(([key, value]) => `<dt>${key}</dt><dd>${value}</dd>`).join('');
};
const all = () => ({
    type: document.querySelector('[name=type]:checked')?.value, name: n.value, street: s.value, city: c.value, country: y.value, plan: p.value,
    newsletter: w.checked, invoice: i.checked, terms: k.checked,
});
document.querySelectorAll('.next').forEach(button => { button.onclick = () => go(step + 1); });
document.querySelectorAll('.back').forEach(button => { button.onclick = () => go(step - 1); });
document.querySelector('.finish').onclick = async () => {
    await send('finish', all());
    section(4).hidden = true;
    show('t', 'Your account is ready');
};""")


# ---- a dashboard that ticks ----

TILES = ("CPU", "Memory", "Disk", "Network", "Requests", "Errors", "Latency", "Queue", "Cache", "Threads", "Sockets", "Files")
STATES = ("queued", "done", "failed", "running")


def dashboard(state, query):
    tiles = "".join(f"<section class=card aria-label='{name}'><h3>{name}</h3><p><span class=v>{n}</span> <span>{('%', 'GB', 'ms', '/s')[n % 4]}</span></p><p>peak 51</p>"
                    "</section>" for n, name in enumerate(TILES))
    rows = "".join(f"<tr><td>ingest-{n}<td id=j{n}>{STATES[n % 4]}<td>{n * 7 % 100} %<td><button data-n={n}>Restart</button><button>Log</button></tr>" for n in range(1, 41))
    return chrome("Cluster", f"<h1>Cluster</h1><div class=grid>{tiles}</div><h2>Jobs</h2><table><thead><tr><th>Job<th>State<th>Progress<th>Actions</tr></thead><tbody>{rows}"
                  "</tbody></table><div id=l role=log aria-label=Log style='height:80px;overflow:auto'></div><div id=g role=alertdialog aria-modal=true aria-label='Restart job' "
                  "hidden><p id=q></p><button id=y>Restart now</button><button id=x>Cancel</button></div>", """
let tick = 0, n;
setInterval(() => {
    tick++;
    document.querySelectorAll('.v').forEach((v, i) => { v.textContent = (tick * (i + 3)) % 97; });
    const line = document.createElement('p');
    line.textContent = 'tick ' + tick;
    l.append(line);
    while (l.children.length > 20)
        l.firstChild.remove();
}, 400);
document.addEventListener('click', event => {
    if (!event.target.dataset.n)
        return;
    n = Number(event.target.dataset.n);
    show('q', `Restart ingest-${n}?`);
    g.hidden = false;
});
x.onclick = () => { g.hidden = true; };
y.onclick = async () => {
    await send('restart', { n });
    g.hidden = true;
    show('j' + n, 'restarting');
};""")


# ---- frames ----

def checkout(state, query):
    other = f"http://localhost:{query['port']}"
    return chrome("Checkout", "<h1>Checkout</h1><table><tr><th>Product<th>Price</tr><tr><td>Canvas Backpack<td>$79.00</tr><tr><td>Shipping<td>$4.90</tr></table>"
                  f"<h2>Payment</h2><iframe title='Card payment' src='{other}/card?run={state.name}' width=500 height=320></iframe><p id=s role=status></p>"
                  f"<iframe title=Advertisement src='{other}/ad?run={state.name}' width=300 height=80></iframe>", """
addEventListener('message', event => {
    if (event.data === 'paid')
        show('s', 'Payment received, thank you');
});""")


def card_frame(state, query):
    fields = "".join(f"<p><label>{label} <input id={name}></label></p>" for name, label in
                     (("n", "Card number"), ("h", "Name on card"), ("e", "Expiry date"), ("c", "Security code")))
    return f"<!doctype html><meta charset=utf-8><title>Card</title><form id=f>{fields}<button>Pay $83.90</button></form>" """<script>
f.onsubmit = async event => {
    event.preventDefault();
    const run = new URLSearchParams(location.search).get('run');
    await fetch('/do/pay', { method: 'POST', body: JSON.stringify({ run, number: n.value, holder: h.value, expiry: e.value, code: c.value }) });
    f.innerHTML = '<p>Paid</p>';
    parent.postMessage('paid', '*');
};</script>"""


def ad_frame(state, query):
    return "<!doctype html><title>Ad</title><p>Try the new Rugged Flask</p><a href='#shop'>Shop now</a>"


# ---- shadow DOM ----

def settings(state, query):
    return chrome("Settings", "<h1>Settings</h1><app-settings></app-settings>", """
const part = (name, connected) => customElements.define(name, class extends HTMLElement {
    connectedCallback() {
        this.attachShadow({ mode: 'open' });
        connected(this, this.shadowRoot);
    }
});
const values = { dark: false, language: 'English', digest: true };
part('x-switch', (host, root) => {
    const name = host.getAttribute('name');
    root.innerHTML = `<button role=switch aria-checked=${values[name]}><slot></slot></button>`;
    const button = root.firstChild;
    button.onclick = () => {
        values[name] = !values[name];
        button.setAttribute('aria-checked', values[name]);
    };
});
part('x-select', (host, root) => {
    root.innerHTML = `<button aria-haspopup=listbox aria-expanded=false aria-label="${host.getAttribute('label')}">English</button><div role=listbox hidden></div>`;
    const [button, list] = root.children;
    for (const name of ['English', 'Deutsch', 'Français', 'Español', 'Italiano', 'Polski']) {
        const option = Object.assign(document.createElement('div'), { textContent: name, onclick: () => {
            values.language = button.textContent = name;
            list.hidden = true;
        } });
        option.setAttribute('role', 'option');
        list.append(option);
    }
    button.onclick = () => {
        list.hidden = !list.hidden;
        button.setAttribute('aria-expanded', !list.hidden);
    };
});
part('app-settings', (host, root) => {
    root.innerHTML = `<section aria-label=Appearance><h2>Appearance</h2><x-switch name=dark>Dark mode</x-switch></section>
        <section aria-label=Language><h2>Language</h2><x-select label="Language"></x-select></section>
        <section aria-label=Mail><h2>Mail</h2><x-switch name=digest>Weekly digest</x-switch></section>
        <button id=save>Save settings</button><p role=status id=s></p>`;
    root.getElementById('save').onclick = async () => {
        await send('settings', values);
        root.getElementById('s').textContent = 'Settings saved';
    };
});""")


# ---- autocomplete ----

CITIES = tuple(f"Springfield, {name}" for name in ("Illinois", "Massachusetts", "Missouri", "Ohio", "Oregon", "Tennessee", "Vermont", "Virginia")) + (
    "Spring Hill, Florida", "Portland, Oregon", "Portland, Maine", "Salem, Oregon")


def booking(state, query):
    city = field("c", "<input id=c role=combobox aria-autocomplete=list aria-expanded=false aria-controls=o>", "City")
    return chrome("Book a room", f"<h1>Book a room</h1><form id=f>{city}<ul id=o role=listbox aria-label=Cities hidden></ul>{text_field('n', 'Nights', 'type=number value=1')}"
                  f"{list_field('g', 'Guests', (1, 2, 3, 4))}<button>Book</button></form><p id=s role=status></p>", """
let timer, chosen = null;
const suggest = async () => {
    const reply = await send('cities', { text: c.value });
    o.replaceChildren(...reply.cities.map(name => {
        const option = document.createElement('li');
        option.setAttribute('role', 'option');
        option.textContent = name;
        option.onclick = () => {
            chosen = c.value = name;
            o.hidden = true;
        };
        return option;
    }));
    o.hidden = !reply.cities.length;
};
c.oninput = () => {
    chosen = null;
    clearTimeout(timer);
    timer = setTimeout(suggest, 150);
};
f.onsubmit = async event => {
    event.preventDefault();
    if (!chosen)
        return show('s', 'Choose a city from the list');
    await send('book', { city: chosen, nights: n.value, guests: g.value });
    show('s', 'Booked: ' + chosen);
};""")


def do_cities(state, data):
    return {"cities": [name for name in CITIES if data["text"] and name.lower().startswith(data["text"].lower())]}


# ---- upload ----

def upload(state, query):
    rows = "".join(f"<tr><td>{name}<td>{size} kB<td><button>Download</button><button>Delete</button></tr>" for name, size in
                   (("contract.pdf", 120), ("photo.jpg", 900), ("notes.txt", 2)))
    return chrome("Files", f"<h1>Files</h1><table><thead><tr><th>Name<th>Size<th>Actions</tr></thead><tbody>{rows}</tbody></table><h2>Upload</h2>"
                  f"{text_field('i', 'File to upload', 'type=file')}{text_field('d', 'Description')}{list_field('v', 'Visible to', ('Me', 'My team', 'Everybody'))}"
                  "<button id=b>Upload</button><p id=s role=status></p>", """
let text = null;
i.onchange = async () => { text = await i.files[0].text(); };
b.onclick = async () => {
    if (text === null)
        return show('s', 'Choose a file first');
    await send('upload', { name: i.files[0].name, text, description: d.value, visible: v.value });
    show('s', 'Uploaded ' + i.files[0].name);
};""")


PAGES = {"/signin": sign_in, "/account": account, "/shop": shop, "/cart": cart_page, "/invoices": invoices, "/docs": docs, "/mail": mail, "/message": message,
         "/calendar": calendar, "/wizard": wizard, "/dashboard": dashboard, "/checkout": checkout, "/card": card_frame, "/ad": ad_frame, "/settings": settings,
         "/booking": booking, "/files": upload}
ACTIONS = {"sign_in": do_sign_in, "add": do_add, "quantity": do_quantity, "order": do_order, "cities": do_cities}
