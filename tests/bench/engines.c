/*
 * The same calls of tools with Firefox and with Chromium, operation by operation in turns, and their ratios. Prints a table; never fails because
 * of a number. Run it on a release build, as bench.c.
 *
 * usage: engines BROWSERD
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "loop/process_status.h"
#include "measure.h"
#include "stdio_client.h"
#include "support/page_server.h"

#define FIRST_PAGES 3 /* starts of either browser */
#define SNAPSHOTS 15
#define SESSIONS 100
#define TREE_MAX 1024 /* processes of a server */
#define URL_SIZE 128

enum engine { CHROMIUM, FIREFOX, ENGINES };

static struct stdio_client *start(const char *program, enum engine engine)
{
	static const char *const names[] = { "auto", "firefox" };
	struct stdio_client *c = stdio_client_start(program, (const char *const[]){ "--browser", names[engine], "--max-sessions",
										    "1000", "--answers", "playwright", NULL });

	stdio_client_initialize(c);
	return c;
}

static void call(struct stdio_client *c, const char *tool, const char *name, const char *value)
{
	if (name)
		json_free(stdio_client_call(c, tool, "{?: ?}", JSON_RAW(name), value));
	else
		json_free(stdio_client_call(c, tool, "{}"));
}

static char *open_session(struct stdio_client *c, const char *url)
{
	_cleanup_(json_freep) struct json *reply = stdio_client_call(c, "create_session", "{}");
	char *session = strdup(json_str(reply, "result.structuredContent.sessionId"));

	json_free(stdio_client_call(c, "navigate", "{sessionId: ?, url: ?}", session, url));
	return session;
}

static usec_t first_page(const char *program, enum engine engine, const char *url)
{
	usec_t begun = clock_now(), took;
	struct stdio_client *c = start(program, engine);

	free(open_session(c, url));
	took = clock_now() - begun;
	stdio_client_stop(c);
	return took;
}

static void bench_first_page(const char *program, const char *url)
{
	struct samples times[ENGINES] = {};

	for (int i = 0; i < FIRST_PAGES; i++)
		for (int engine = 0; engine < ENGINES; engine++)
			add(&times[engine], first_page(program, engine, url));
	report("spawn to first page shown", "3500 ms", median_msec(&times[FIREFOX]), median_msec(&times[CHROMIUM]), "ms");
}

static usec_t timed(struct stdio_client *c, const char *tool, const char *name, const char *value)
{
	usec_t begun = clock_now();

	call(c, tool, name, value);
	return clock_now() - begun;
}

static void compare_call(struct stdio_client *const c[ENGINES], const char *what, const char *goal, int times, const char *tool,
			 const char *name, const char *value)
{
	for (int engine = 0; engine < ENGINES; engine++)
		call(c[engine], tool, name, value);
	IN_TURNS(what, goal, times, call(c[FIREFOX], tool, name, value), timed(c[CHROMIUM], tool, name, value));
}

/* Of a session tool, without settling. */
static usec_t timed_click(struct stdio_client *c, const char *session)
{
	usec_t begun = clock_now();

	json_free(stdio_client_call(c, "click", "{sessionId: ?, selector: '#b'}", session));
	return clock_now() - begun;
}

static void go(struct stdio_client *const c[ENGINES], const char *url)
{
	for (int engine = 0; engine < ENGINES; engine++)
		call(c[engine], "browser_navigate", "\"url\"", url);
}

static void bench_calls(struct stdio_client *const c[ENGINES], const char *url)
{
	char *sessions[ENGINES] = { open_session(c[CHROMIUM], url), open_session(c[FIREFOX], url) };
	char other[URL_SIZE];

	go(c, url);
	compare_call(c, "browser_evaluate", "3 x", CALLS, "browser_evaluate", "\"function\"", "() => 1+1");
	compare_call(c, "browser_navigate", "none", CALLS, "browser_navigate", "\"url\"", url);
	IN_TURNS("click", "1.5 x", CALLS, timed_click(c[FIREFOX], sessions[FIREFOX]), timed_click(c[CHROMIUM], sessions[CHROMIUM]));
	compare_call(c, "browser_click, which settles", "1.5 x", CALLS, "browser_click", "\"target\"", "#b");
	compare_call(c, "browser_take_screenshot", "none", SNAPSHOTS, "browser_take_screenshot", NULL, NULL);
	snprintf(other, sizeof(other), "%sform", url);
	go(c, other);
	compare_call(c, "browser_snapshot of a form", "2 x", CALLS, "browser_snapshot", NULL, NULL);
	snprintf(other, sizeof(other), "%stable?1000", url);
	go(c, other);
	compare_call(c, "browser_snapshot of 7,000 elements", "2 x", SNAPSHOTS, "browser_snapshot", NULL, NULL);
	for (int engine = 0; engine < ENGINES; engine++)
		free(sessions[engine]);
}

/* Of the server and all processes below it. */
static double tree_mib(pid_t root)
{
	pid_t found[TREE_MAX] = { root };
	unsigned count = 1;
	long kib = 0;

	for (unsigned i = 0; i < count; i++) {
		kib += pss_kib(found[i]);
		count = process_children(found[i], found, count, TREE_MAX);
	}
	return (double)kib / 1024;
}

static double memory_of_sessions(const char *program, enum engine engine, const char *url)
{
	struct stdio_client *c = start(program, engine);
	double mib;

	for (int i = 0; i < SESSIONS; i++) {
		_cleanup_(freep) char *session = open_session(c, url);

		timed_click(c, session);
	}
	mib = tree_mib(stdio_client_pid(c));
	stdio_client_stop(c);
	return mib;
}

int main(int argc, char **argv)
{
	struct stdio_client *c[ENGINES];
	char url[64];

	if (argc != 2) {
		fprintf(stderr, "usage: engines BROWSERD\n");
		return 2;
	}
	log_set_level(LOG_ERROR);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", page_server_start());
	bench_first_page(argv[1], url);
	for (int engine = 0; engine < ENGINES; engine++)
		c[engine] = start(argv[1], engine);
	bench_calls(c, url);
	for (int engine = 0; engine < ENGINES; engine++)
		stdio_client_stop(c[engine]);
	report("memory of 100 sessions, all processes", "1638 MiB", memory_of_sessions(argv[1], FIREFOX, url),
	       memory_of_sessions(argv[1], CHROMIUM, url), "MiB");
	return 0;
}
