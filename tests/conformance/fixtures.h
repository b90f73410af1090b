/*
 * What the official conformance suites of MCP expect a server under test to have: tools, resources and prompts with prescribed
 * names and answers. server.c is browserd with them.
 */
#pragma once

#include "mcp/server.h"

extern const struct tool *const tool_table_conformance[];     /* content, progress, logging: NULL-terminated */
extern const struct tool *const tool_table_conformance_ask[]; /* what asks the client */
extern const struct tool *const tool_table_conformance_tasks[];
extern const struct mcp_resources conformance_resources;
extern const struct mcp_prompts conformance_prompts;

/* The smallest picture, as base64 of a PNG. */
#define CONFORMANCE_PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
