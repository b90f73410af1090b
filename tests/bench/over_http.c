/*
 * HTTP beside stdio: the same calls in turns, a hundred clients at work, /health meanwhile, and what idle sessions cost.
 * Prints a table; never fails because of a number.
 *
 * usage: over_http BROWSERD
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "echo.h"
#include "hundred_clients.h"
#include "http_client.h"
#include "measure.h"
#include "stdio_client.h"
#include "support/page_server.h"

#define CALLS_IN_TURNS 60
#define EMPTY_CALLS_IN_TURNS 1000
#define IDLE_SESSIONS 1000

static const char *const many[] = { "--port",
				    "0",
				    "--max-sessions",
				    "200",
				    "--http-max-sessions",
				    "2000",
				    "--http-max-connections",
				    "2000",
				    "--timeout-action",
				    "120000",
				    "--timeout-navigation",
				    "120000",
				    NULL };

/* A call by each way, in turns; gives the time of the one over stdio. */
static usec_t time_of(struct stdio_client *c, const char *tool, const char *arguments)
{
	usec_t start = clock_now();

	json_free(stdio_client_call(c, tool, "?", JSON_RAW(arguments)));
	return clock_now() - start;
}

static void bench_call(struct http_client *http, struct stdio_client *stdio, const char *what, const char *tool,
		       const char *http_arguments, const char *stdio_arguments)
{
	IN_TURNS(what, "<= 1.5 x", CALLS_IN_TURNS, json_free(http_client_call(http, tool, http_arguments)),
		 time_of(stdio, tool, stdio_arguments));
}

/* A call that does nothing is all transport, and TCP costs more than a pipe before anybody reads a byte. */
static void bench_empty_call(struct http_client *http, struct stdio_client *stdio)
{
	struct echo pipe = echo_start_pipe(), tcp = echo_start_tcp();

	IN_TURNS("an echo over TCP beside one over a pipe", "none", EMPTY_CALLS_IN_TURNS, echo_time(&tcp), echo_time(&pipe));
	IN_TURNS("list_sessions over HTTP beside stdio", "<= 1.5 x", EMPTY_CALLS_IN_TURNS,
		 json_free(http_client_call(http, "list_sessions", "{}")), time_of(stdio, "list_sessions", "{}"));
	echo_stop(&pipe);
	echo_stop(&tcp);
}

/* Arguments with the id of a new session in them. */
static void arguments_with(struct json *created, const char *rest, struct str *out)
{
	str_json(out, "{sessionId: ? ?}", json_str(created, "result.structuredContent.sessionId"), JSON_RAW(rest));
	json_free(created);
}

static void bench_calls(struct http_client *http, struct stdio_client *stdio, const char *url)
{
	_cleanup_(str_done) struct str a = {}, b = {}, navigate = {};

	bench_empty_call(http, stdio);
	str_json(&navigate, "{url: ?}", url);
	arguments_with(http_client_call(http, "create_session", "{}"), ",\"expression\":\"1+1\"", &a);
	arguments_with(stdio_client_call(stdio, "create_session", "{}"), ",\"expression\":\"1+1\"", &b);
	bench_call(http, stdio, "evaluate over HTTP beside stdio", "evaluate", a.data, b.data);
	bench_call(http, stdio, "browser_navigate over HTTP beside stdio", "browser_navigate", navigate.data, navigate.data);
}

/* Their connections are closed: a session needs none. */
static void bench_idle(const char *program)
{
	struct http_process p = http_process_start(program, many);
	long before;

	http_client_free(http_client_new(&p, true));
	before = pss_kib(p.pid);
	for (int i = 0; i < IDLE_SESSIONS; i++)
		http_client_free(http_client_new(&p, true));
	report("an idle session without pages", "16 KiB", (double)(pss_kib(p.pid) - before) / IDLE_SESSIONS, 0, "KiB");
	http_process_stop(&p);
}

int main(int argc, char **argv)
{
	struct http_process p;
	struct http_client *http;
	struct stdio_client *stdio;
	char url[64];

	if (argc != 2) {
		fprintf(stderr, "usage: over_http BROWSERD\n");
		return 2;
	}
	log_set_level(LOG_ERROR);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", page_server_start());
	bench_idle(argv[1]);
	p = http_process_start(argv[1], many);
	stdio = stdio_client_start(argv[1], (const char *const[]){ "--max-sessions", "200", "--timeout-action", "120000",
								   "--timeout-navigation", "120000", NULL });
	stdio_client_initialize(stdio);
	http = http_client_new(&p, true);
	bench_calls(http, stdio, url);
	bench_hundred(&p, stdio, url);
	http_client_free(http);
	stdio_client_stop(stdio);
	http_process_stop(&p);
	return 0;
}
