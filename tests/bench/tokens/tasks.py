"""
The tasks. Each says to an agent (agents.py) what is done, and checks afterwards at the server whether it has been: the functions return
whether the state of the run is as it should be.
"""
from agents import Look, Step, Target

BUTTON = "button"
FIELD = "textbox|searchbox|spinbutton|combobox"
UPLOADED = "quarterly figures: 17, 23, 42\n"


def button(name, near=None, told=False):
    return Target(BUTTON, name, near, told)


def click(name, near=None):
    return Step("click", button(name, near))


def fill(name, value):
    return Step("fill", Target(FIELD, name), value)


def check(name):
    return Step("check", Target("checkbox", name))


def select(name, value):
    return Step("select", Target("combobox", name), value)


def sign_in(agent, site):
    email, password, remember = Target(FIELD, "Email address"), Target(FIELD, "Password"), Target("checkbox", "Remember me")
    agent.open(site.url("/signin"), email, password, remember, button("Sign in"))
    agent.do(fill("Email address", "ada@example.com"), fill("Password", "lovelace-1843"), check("Remember me"), click("Sign in"))
    agent.expect("Welcome, Ada")
    return site.state.did("sign_in") == [{"email": "ada@example.com", "password": "lovelace-1843", "remember": True}]


def shop(agent, site):
    search, cart = Target(FIELD, "Search products", told=True), Target("link", "Cart", told=True)
    agent.open(site.url("/shop"), search)
    agent.do(Step("type", search, "Canvas Backpack", submit=True))
    agent.expect("1 products", button("Add to cart", "Canvas Backpack", told=True), cart)
    agent.do(click("Add to cart", "Canvas Backpack"), Look("Added to cart", cart), Step("click", cart))
    agent.expect("Your cart", Target("combobox", "Quantity of Canvas Backpack"), button("Place order"))
    agent.do(select("Quantity of Canvas Backpack", "2"), click("Place order"))
    agent.expect("Thank you")
    return site.state.values.get("ordered") == {1: 2}


def table(agent, site):
    agent.open(site.url("/invoices"), button("Approve", "INV-0742", told=True))
    agent.do(click("Approve", "INV-0742"))
    agent.expect("approved")
    return site.state.did("decide") == [{"n": 742, "what": "approve"}]


def documentation(agent, site):
    agent.open(site.url("/docs"))
    answer = agent.look_up("Exports API", "Exports API limits", r"Exports API limits.{0,1500}?Team.{0,120}?\d+ / min.{0,60}?(\d+) / min")
    return int(answer) == site.state.values["limits"]["Exports"]["Team"][1]


def mail(agent, site):
    wanted = Target("link", "Ember Support Invoice overdue", told=True)
    agent.open(site.url("/mail"), wanted)
    agent.do(Step("click", wanted))
    agent.expect("Please answer", Target(FIELD, "Your reply"), button("Send reply"))
    agent.do(fill("Your reply", "Paid on Friday"), click("Send reply"))
    agent.expect("Reply sent")
    return site.state.did("reply") == [{"n": 14, "text": "Paid on Friday"}]


def calendar(agent, site):
    agent.open(site.url("/calendar"), button("17 June"))
    agent.do(click("17 June"))
    agent.expect("New event", Target(FIELD, "Title"), Target("combobox", "Start"), Target("combobox", "Length"), Target("checkbox", "Remind me"), button("Save event"))
    agent.do(fill("Title", "Dentist"), select("Start", "14:30"), select("Length", "1 hour"), check("Remind me"), click("Save event"))
    agent.expect("14:30 Dentist")
    return site.state.did("event") == [{"day": 17, "title": "Dentist", "start": "14:30", "length": "1 hour", "remind": True}]


def wizard(agent, site):
    business = Target("radio", "Business")
    agent.open(site.url("/wizard"), business, button("Next"))
    agent.do(Step("choose", business), click("Next"))
    agent.expect("Step 2 of 4", Target(FIELD, "Full name"), Target(FIELD, "Street"), Target(FIELD, "City"), Target("combobox", "Country"), button("Next"))
    agent.do(fill("Full name", "Ada Lovelace"), fill("Street", "St James Square 12"), fill("City", "Tallinn"), select("Country", "Estonia"), click("Next"))
    agent.expect("Step 3 of 4", Target("combobox", "Plan"), Target("checkbox", "Pay by invoice"), button("Next"))
    agent.do(select("Plan", "Team"), check("Pay by invoice"), click("Next"))
    agent.expect("Step 4 of 4", Target("checkbox", "I accept the terms"), button("Finish"))
    agent.do(check("I accept the terms"), click("Finish"))
    agent.expect("Your account is ready")
    return site.state.did("finish") == [{"type": "Business", "name": "Ada Lovelace", "street": "St James Square 12", "city": "Tallinn", "country": "Estonia",
                                         "plan": "Team", "newsletter": False, "invoice": True, "terms": True}]


def dashboard(agent, site):
    agent.open(site.url("/dashboard"), button("Restart", "ingest-27", told=True))
    agent.do(click("Restart", "ingest-27"))
    agent.expect("Restart ingest-27?", button("Restart now"))
    agent.do(click("Restart now"))
    agent.expect("restarting")
    return site.state.did("restart") == [{"n": 27}]


def frames(agent, site):
    names = ("Card number", "Name on card", "Expiry date", "Security code")
    agent.open(site.url(f"/checkout?port={site.port}"), *(Target(FIELD, name) for name in names), button("Pay"))
    agent.do(*(fill(name, value) for name, value in zip(names, ("4111 1111 1111 1111", "Ada Lovelace", "12/29", "123"))), click("Pay"))
    agent.expect("Payment received")
    return site.state.did("pay") == [{"number": "4111 1111 1111 1111", "holder": "Ada Lovelace", "expiry": "12/29", "code": "123"}]


def shadow(agent, site):
    dark = Target("switch", "Dark mode")
    agent.open(site.url("/settings"), dark, button("Language"), button("Save settings"))
    agent.do(Step("click", dark), click("Language"))
    agent.expect("Polski", Target("option", "Polski"), button("Save settings"))
    agent.do(Step("click", Target("option", "Polski")), click("Save settings"))
    agent.expect("Settings saved")
    return site.state.did("settings") == [{"dark": True, "language": "Polski", "digest": True}]


def autocomplete(agent, site):
    city = Target("combobox", "City")
    agent.open(site.url("/booking"), city)
    agent.do(Step("type", city, "Springf"))
    option = Target("option", "Springfield, Oregon")
    agent.expect("Springfield, Oregon", option, Target(FIELD, "Nights"), Target("combobox", "Guests"), button("Book"))
    agent.do(Step("click", option), fill("Nights", "3"), select("Guests", "2"), click("Book"))
    agent.expect("Booked: Springfield, Oregon")
    return site.state.did("book") == [{"city": "Springfield, Oregon", "nights": "3", "guests": "2"}]


def upload(agent, site):
    choose = button("File to upload")
    agent.open(site.url("/files"), choose, Target(FIELD, "Description"), Target("combobox", "Visible to"), Target(BUTTON, "Upload"))
    agent.do(Step("click", choose))
    agent.do(Step("upload", None, str(site.folder / "figures.txt")), fill("Description", "Figures of June"), select("Visible to", "My team"), click("Upload"))
    agent.expect("Uploaded figures.txt")
    return site.state.did("upload") == [{"name": "figures.txt", "text": UPLOADED, "description": "Figures of June", "visible": "My team"}]


TASKS = {"sign in": sign_in, "shop of 300": shop, "table of 1,000": table, "documentation": documentation, "mail": mail, "calendar": calendar, "wizard": wizard,
         "dashboard": dashboard, "frames": frames, "shadow DOM": shadow, "autocomplete": autocomplete, "upload": upload}
