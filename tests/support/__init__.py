"""What the black-box tests share: an MCP client over stdio, a page server, process and schema helpers."""
import os

from support import engine

__all__ = ["engine"]  # also for those who need nothing of it: it sets what servers inherit

# Most tests read answers in the form of @playwright/mcp. Those of the compact form say so when they start a server.
os.environ.setdefault("BROWSERD_ANSWERS", "playwright")
