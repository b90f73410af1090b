"""The short form of answers (--answers compact): notation, budgets, differences."""
from support.case import SharedCase, main


class Form(SharedCase):
    args = ("--answers", "compact")

    def test_the_form_is_an_option(self):
        self.client.ask("browser_navigate", url=self.site.page("<button>Send</button>"))
        self.assertIn("Send", self.client.ask("browser_snapshot"))


if __name__ == "__main__":
    main()
