"""What the black-box tests share: an MCP client over stdio, a page server, process and schema helpers."""
