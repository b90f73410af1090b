"""Django's admin: forms with a date picker and two lists, a popup that adds what is related, actions on rows. Verified in the database."""
import datetime
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing

from apps.app_case import AppCase, task
from support.case import main, skip
from support.ports import free_port

USER, PASSWORD = "clerk", "chalk-cheese"
SCHEMA = ["migrate", "--run-syncdb", "--verbosity", "0"]


def python_with_django():
    """Debian's modules are those of /usr/bin/python3, which may not be the first in PATH."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import django, sqlite3"], capture_output=True, check=False).returncode == 0:
            return python
    return None


class DjangoAdmin(AppCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "library.sqlite3"
        env = {**os.environ, "DJANGO_SETTINGS_MODULE": "apps.library.settings", "LIBRARY_DATABASE": str(cls.database),
               "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        python = python_with_django()
        for command in (SCHEMA, ["createsuperuser", "--noinput", "--username", USER, "--email", "clerk@example.com"]):
            subprocess.run([python, "-m", "django", *command], env=env, check=True, capture_output=True)
        cls.url = f"http://127.0.0.1:{free_port()}/"
        cls.run_server([python, "-m", "django", "runserver", "--noreload", cls.url.split("/")[2]], cls.url + "login/", env=env)

    def query(self, text, *values):
        with closing(sqlite3.connect(self.database, timeout=60)) as connection, connection:
            return connection.execute(text, values).fetchall()

    def prepare(self):
        for table in ("book_authors", "book", "author", "publisher"):
            self.query(f"DELETE FROM library_{table}")
        for name in ("Ada", "Blaise", "Grace", "Kurt"):
            self.query("INSERT INTO library_author (name) VALUES (?)", name)
        for title, kind in (("Alpha", "novel"), ("Beta", "poems"), ("Gamma", "novel"), ("Delta", "novel")):
            self.query("INSERT INTO library_book (title, kind, lent) VALUES (?, ?, 0)", title, kind)
        self.query("DELETE FROM django_session")

    def log_in(self, agent):
        agent.go(self.url)
        agent.type("textbox", re.compile("Username.*"), USER)
        agent.type("textbox", re.compile("Password.*"), PASSWORD)
        agent.click("button", "Log in")

    @task
    def test_add_a_book(self, agent):
        self.log_in(agent)
        agent.go(self.url + "library/book/add/")
        agent.type("textbox", re.compile("Title.*"), "On Numbers")
        agent.act("select_option", "combobox", re.compile("Kind.*"), values=["Poems"])
        agent.click("option", "Kurt")
        agent.click("link", "Choose")
        agent.click("option", "Ada", doubleClick=True)
        agent.click("link", "Show")
        agent.click("link", "Choose a Date")
        agent.click("link", "15")
        agent.click("checkbox", "Lent")
        agent.click("button", "Save")
        agent.see_text("was added successfully")
        day = datetime.datetime.now(datetime.timezone.utc).date().replace(day=15)
        self.assertEqual(self.query("SELECT kind, published, lent FROM library_book WHERE title = 'On Numbers'"), [("poems", str(day), 1)])
        self.assertEqual(self.query("SELECT a.name FROM library_author a JOIN library_book_authors b ON b.author_id = a.id ORDER BY a.name"),
                         [("Ada",), ("Kurt",)])

    @task
    def test_act_on_rows(self, agent):
        self.log_in(agent)
        agent.click("link", "Books")
        agent.click("link", "Novel")
        agent.click("checkbox", None, within=("row", re.compile("Alpha.*|.* Alpha .*")))
        agent.click("checkbox", None, within=("row", re.compile("Gamma.*|.* Gamma .*")))
        agent.act("select_option", "combobox", re.compile("Action.*"), values=["Mark as lent"])
        agent.click("button", re.compile("Go|Run the selected action"))
        agent.see_text("0 of 3 selected")
        agent.type("textbox", re.compile(".*"), "Delta", submit=True)
        agent.see_text("1 result")
        agent.click("link", "Delta")
        agent.click("link", "Delete")
        agent.click("button", re.compile("Yes, .*"))
        agent.see_text("was deleted successfully")
        self.assertEqual(self.query("SELECT title, lent FROM library_book ORDER BY title"), [("Alpha", 1), ("Beta", 0), ("Gamma", 1)])

    @task
    def test_add_a_publisher_in_a_popup(self, agent):
        self.log_in(agent)
        agent.click("link", "Books")
        agent.click("link", "Beta")
        agent.click("link", re.compile("Add( another publisher)?"), nth=-1)
        agent.call("tabs", action="select", index=1)
        agent.type("textbox", re.compile("Name.*"), "North Press")
        agent.click("button", "Save")
        agent.see(lambda text: "North Press" in text and "Change book" in text)
        agent.click("button", "Save")
        agent.see_text("was changed successfully")
        self.assertEqual(self.query("SELECT p.name FROM library_book b JOIN library_publisher p ON p.id = b.publisher_id WHERE b.title = 'Beta'"),
                         [("North Press",)])


if __name__ == "__main__":
    if not python_with_django():
        skip("python3-django is not installed")
    main()
