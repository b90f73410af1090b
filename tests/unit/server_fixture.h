/* A server with the program's tools in this process, one client of it, and a browser in memory with the documents of memory_fixture.h. */
#pragma once

#include "memory_fixture.h"

#include "app/app.h"

#define CALLS 16 /* numbers of calls */

struct server {
	struct loop *loop;
	struct app app;
	struct mcp_server mcp;
	struct mcp_conn *conn;
	struct response_settings answers;
	struct registry_options sessions;
	struct json *replies[CALLS]; /* by the numbers of calls; NULL: none so far, or it was taken */
	bool drained;
};

struct server *server_new(const struct tool *const *tools, const struct response_settings *answers,
			  const struct registry_options *sessions);
int server_tear_down(void **state);

/* Sends a call; `arguments`: JSON text. Several may be under way under different numbers. */
void server_send(struct server *s, unsigned number, const char *tool, const char *arguments);
/* The client gives the call up. */
void server_cancel(struct server *s, unsigned number);
/* Waits for the reply. The caller frees it. */
struct json *server_await(struct server *s, unsigned number);
/* Both. */
struct json *server_call(struct server *s, const char *tool, const char *arguments);
/* The text that the tool has answered. */
const char *reply_text(const struct json *reply);
