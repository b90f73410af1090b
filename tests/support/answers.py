"""Answers to tools/call."""


def text_of(result):
    """The text of an answer, that of an error too, without its pictures."""
    return "\n".join(item["text"] for item in result["content"] if item["type"] == "text")
