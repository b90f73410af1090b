/*
 * A server with a few real tools on a real loop, and one connection to it whose messages are recorded.
 *
 *	say(f, "{jsonrpc: '2.0', id: 1, method: 'ping'}");
 *	expect(f, "{jsonrpc: '2.0', id: 1, result: {}}");
 *
 * Both take str_json() templates. expect() runs the loop until a message comes; expect_nothing() only until no task is
 * left that could send one.
 */
#pragma once

#include "test.h"

#include "base/json.h"
#include "mcp/server.h"

struct fixture {
	struct loop *loop;
	struct mcp_server server;
	struct mcp_conn *conn;
	struct str sent; /* messages, each followed by a newline */
	size_t read;     /* how much of `sent` was expected already */
	bool drained;
	unsigned waiting; /* calls inside the tool "wait" */
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

/* What is said next is another client's, with an owner of its own; returns the client before, which comes back afterwards. */
struct mcp_conn *fixture_change_client(struct fixture *f, uint64_t owner);
void fixture_restore_client(struct fixture *f, struct mcp_conn *before);

#define say(f, ...) say_values(f, JSON_VALUES(__VA_ARGS__))
void say_values(struct fixture *f, uint64_t types, const char *template, ...);
/* The same with bytes as they are. */
void say_raw(struct fixture *f, const char *text, size_t len);
/* The next message, NUL-terminated text that the caller frees. */
char *next_message(struct fixture *f);
/* The next message, parsed. */
struct json *next_json(struct fixture *f);
#define expect(f, ...) expect_values(f, JSON_VALUES(__VA_ARGS__))
void expect_values(struct fixture *f, uint64_t types, const char *template, ...);
/* The next message is an error with that id (JSON text, NULL: no id) and code, whose text holds `part`. */
void expect_error(struct fixture *f, const char *id, int code, const char *part);
void expect_nothing(struct fixture *f);
/* Runs the loop until `count` calls wait inside the tool "wait". */
void await_waiting(struct fixture *f, unsigned count);
void handshake(struct fixture *f, const char *version);

/* For say(): the members of a modern request's params._meta that must be there. */
#define MODERN_META "io.modelcontextprotocol/protocolVersion: '2026-07-28', io.modelcontextprotocol/clientCapabilities: {}"

/*
 * Tools: "echo" answers its argument as text and structured content · "wait" waits until it is cancelled, saying
 * what for · "fail" fails with {code: ..., text: ...} · "picture" gives an image · "log" logs {level: ..., text: ...}
 */
