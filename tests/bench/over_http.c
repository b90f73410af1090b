/*
 * HTTP beside stdio: the same calls in turns, a hundred clients at work, /health meanwhile, and what idle sessions cost.
 * Prints a table; never fails because of a number.
 *
 * usage: over_http BROWSERD
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "http_client.h"
#include "measure.h"
#include "stdio_client.h"
#include "support/page_server.h"

#define CALLS_IN_TURNS 120
#define CLIENTS 100
#define CALLS_EACH 20
#define TURNS 3
#define IDLE_SESSIONS 1000

static const char *const many[] = { "--port", "0", "--max-sessions", "200", "--http-max-sessions", "2000", "--http-max-connections", "2000",
				    "--timeout-action", "120000", "--timeout-navigation", "120000", NULL };

/* A call by each way, in turns; gives the time of the one over stdio. */
static usec_t time_of(struct stdio_client *c, const char *tool, const char *arguments)
{
	usec_t start = clock_now();

	json_free(stdio_client_call(c, tool, "%p", arguments));
	return clock_now() - start;
}

static void bench_call(struct http_client *http, struct stdio_client *stdio, const char *what, const char *tool,
		       const char *http_arguments, const char *stdio_arguments)
{
	IN_TURNS(what, "1.5 x", CALLS_IN_TURNS, json_free(http_client_call(http, tool, http_arguments)), time_of(stdio, tool, stdio_arguments));
}

/* Arguments with the id of a new session in them. */
static void arguments_with(struct json *created, const char *rest, struct str *out)
{
	str_json(out, "{sessionId: %s%p}", json_str(created, "result.structuredContent.sessionId"), rest);
	json_free(created);
}

static void bench_calls(struct http_client *http, struct stdio_client *stdio, const char *url)
{
	_cleanup_(str_done) struct str a = {}, b = {}, navigate = {};

	bench_call(http, stdio, "list_sessions over HTTP", "list_sessions", "{}", "{}");
	str_json(&navigate, "{url: %s}", url);
	arguments_with(http_client_call(http, "create_session", "{}"), ",\"expression\":\"1+1\"", &a);
	arguments_with(stdio_client_call(stdio, "create_session", "{}"), ",\"expression\":\"1+1\"", &b);
	bench_call(http, stdio, "evaluate over HTTP", "evaluate", a.data, b.data);
	bench_call(http, stdio, "browser_navigate over HTTP", "browser_navigate", navigate.data, navigate.data);
}

/* ---- a hundred clients ---- */

/* In turn a page, and three values of it. */
static const char *work_of(unsigned n, const char *navigate, const char **ret_tool)
{
	*ret_tool = n % 4 == 0 ? "browser_navigate" : "browser_evaluate";
	return n % 4 == 0 ? navigate : "{\"function\":\"() => document.title\"}";
}

static void send_http(struct http_client *c, unsigned n, const char *navigate)
{
	const char *tool, *arguments = work_of(n, navigate, &tool);

	http_client_send(c, tool, arguments);
}

/* Every client always has a call under way. `health` is asked meanwhile, if there is one. */
static usec_t work_http(struct http_client *const clients[CLIENTS], const char *navigate, struct http_client *health, struct samples *times)
{
	struct pollfd fds[CLIENTS];
	unsigned sent[CLIENTS] = {}, left = CLIENTS * CALLS_EACH;
	usec_t start = clock_now(), asked;

	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = (struct pollfd){ .fd = http_client_fd(clients[i]), .events = POLLIN };
		send_http(clients[i], sent[i]++, navigate);
	}
	while (left > 0) {
		poll(fds, CLIENTS, -1);
		for (int i = 0; i < CLIENTS; i++) {
			if (!(fds[i].revents & POLLIN) || !http_client_receive(clients[i]))
				continue;
			left--;
			if (sent[i] < CALLS_EACH)
				send_http(clients[i], sent[i]++, navigate);
		}
		if (health && times->count < ARRAY_SIZE(times->values)) {
			asked = clock_now();
			http_client_get(health, "/health");
			add(times, clock_now() - asked);
		}
	}
	return clock_now() - start;
}

static int send_stdio(struct stdio_client *c, const char *session, unsigned n, const char *url)
{
	if (n % 4 == 0)
		return stdio_client_send(c, "browser_navigate", "{sessionId: %s, url: %s}", session, url);
	return stdio_client_send(c, "browser_evaluate", "{sessionId: %s, function: '() => document.title'}", session);
}

static usec_t work_stdio(struct stdio_client *c, char *const sessions[CLIENTS], const char *url)
{
	unsigned sent[CLIENTS] = {};
	int owner[CLIENTS * CALLS_EACH], first_id = 0;
	usec_t start = clock_now();

	for (int i = 0; i < CLIENTS; i++) {
		int id = send_stdio(c, sessions[i], sent[i]++, url);

		first_id = i == 0 ? id : first_id;
		owner[id - first_id] = i;
	}
	for (unsigned answered = 0; answered < CLIENTS * CALLS_EACH; answered++) {
		_cleanup_(json_freep) struct json *reply = stdio_client_receive(c);
		int i = owner[json_int(reply, "id", 0) - first_id];

		if (sent[i] < CALLS_EACH)
			owner[send_stdio(c, sessions[i], sent[i]++, url) - first_id] = i;
	}
	return clock_now() - start;
}

static void bench_hundred(const struct http_process *p, struct stdio_client *stdio, const char *url)
{
	_cleanup_(str_done) struct str navigate = {};
	struct http_client *clients[CLIENTS], *health;
	struct samples idle = {}, busy = {};
	char *sessions[CLIENTS];
	double http_time = 0, stdio_time = 0;

	str_json(&navigate, "{url: %s}", url);
	for (int i = 0; i < CLIENTS; i++) {
		_cleanup_(json_freep) struct json *created = stdio_client_call(stdio, "create_session", "{}");

		sessions[i] = must(strdup(json_str(created, "result.structuredContent.sessionId")));
		json_free(stdio_client_call(stdio, "browser_navigate", "{sessionId: %s, url: %s}", sessions[i], url));
		clients[i] = http_client_new(p, true);
		json_free(http_client_call(clients[i], "browser_navigate", navigate.data));
	}
	health = http_client_new(p, false);
	while (idle.count < CALLS) {
		usec_t start = clock_now();

		http_client_get(health, "/health");
		add(&idle, clock_now() - start);
	}
	for (int i = 0; i < TURNS; i++) {
		stdio_time += (double)work_stdio(stdio, sessions, url);
		http_time += (double)work_http(clients, navigate.data, NULL, NULL);
	}
	report("throughput of 100 HTTP clients", ">= 0.8 x", TURNS * CLIENTS * CALLS_EACH * USEC_PER_SEC / http_time,
	       TURNS * CLIENTS * CALLS_EACH * USEC_PER_SEC / stdio_time, "calls/s");
	work_http(clients, navigate.data, health, &busy);
	report("/health while nothing works", "1 ms", median_msec(&idle), 0, "ms");
	report("/health while 100 sessions work", "1 ms", median_msec(&busy), 0, "ms");
	report("the same, nine of ten", "1 ms", (double)busy.values[busy.count * 9 / 10] / USEC_PER_MSEC, 0, "ms");
	for (int i = 0; i < CLIENTS; i++) {
		http_client_free(clients[i]);
		free(sessions[i]);
	}
	http_client_free(health);
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
	stdio = stdio_client_start(argv[1], (const char *const[]){ "--max-sessions", "200", "--timeout-action", "120000", "--timeout-navigation",
						       "120000", NULL });
	stdio_client_initialize(stdio);
	http = http_client_new(&p, true);
	bench_calls(http, stdio, url);
	bench_hundred(&p, stdio, url);
	http_client_free(http);
	stdio_client_stop(stdio);
	http_process_stop(&p);
	return 0;
}
