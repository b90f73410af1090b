"""Tests of browser_run_code_unsafe on a server that they share."""
import json
import re

from support.drop_in import SharedDropInCase


class CodeCase(SharedDropInCase):
    def run_code(self, body):
        return self.ask("browser_run_code_unsafe", code=f"async (page) => {{ {body} }}")

    def value(self, body):
        answer = self.run_code(body)
        self.assertFalse(answer.is_error, answer)
        return None if answer.result is None else json.loads(answer.result)

    def error(self, body):
        answer = self.run_code(body)
        self.assertTrue(answer.is_error, answer)
        return re.sub("\x1b\\[\\d+m", "", answer.error).split("\n")[0]

    def evaluate(self, function):
        answer = self.ask("browser_evaluate", function=function)
        self.assertFalse(answer.is_error, answer)
        return json.loads(answer.result)
