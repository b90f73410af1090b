/*
 * Speed and size of browserd, each as a ratio to bare CDP calls measured in the same run, operation by operation in
 * turns. Prints a table; never fails because of a number. Run it on a release build:
 *
 *	meson setup build --buildtype=release && meson test -C build --benchmark --verbose
 *
 * usage: bench BROWSERD
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "browser_tools.h"
#include "floor.h"
#include "measure.h"
#include "support/page_server.h"
#include "stdio_client.h"

#define STARTS 15     /* of the server alone */
#define FIRST_PAGES 5 /* browser starts */
#define SESSIONS 10
#define CALLS_EACH 20 /* on each session, in one turn */
#define TURNS 5
#define MANY_SESSIONS 100
#define CHURN 1000 /* sessions made and closed */

static const char typed[] = "hello browserd";

static char *create_session(struct stdio_client *c)
{
	_cleanup_(json_freep) struct json *reply = stdio_client_call(c, "create_session", "{}");

	return strdup(json_str(reply, "result.structuredContent.sessionId"));
}

static void call(struct stdio_client *c, const char *tool, const char *session, const char *name, const char *value)
{
	if (name)
		json_free(stdio_client_call(c, tool, "{sessionId: ?, ?: ?}", session, JSON_RAW(name), value));
	else
		json_free(stdio_client_call(c, tool, "{sessionId: ?}", session));
}

static void bench_start(const char *program)
{
	struct samples s = {};

	for (int i = 0; i < STARTS; i++) {
		usec_t start = clock_now();
		struct stdio_client *c = stdio_client_start(program, NULL);

		stdio_client_initialize(c);
		add(&s, clock_now() - start);
		stdio_client_stop(c);
	}
	report("spawn to initialize answered", "3 ms", median_msec(&s), 0, "ms");
}

static void bench_first_page(const char *program, const struct browser_options *o, const char *url)
{
	struct samples ours = {}, bare = {};

	for (int i = 0; i < FIRST_PAGES; i++) {
		usec_t elapsed, start;
		struct stdio_client *c;
		char *session;

		floor_stop(floor_start(o, url, &elapsed));
		add(&bare, elapsed);
		start = clock_now();
		c = stdio_client_start(program, NULL);
		stdio_client_initialize(c);
		session = create_session(c);
		call(c, "navigate", session, "\"url\"", url);
		add(&ours, clock_now() - start);
		free(session);
		stdio_client_stop(c);
	}
	report("spawn to first page shown", "1.3 x", median_msec(&ours), median_msec(&bare), "ms");
}

static void bench_calls(struct stdio_client *c, const char *s, struct floor *f, const char *url)
{
	IN_TURNS("navigate", "1.3 x", CALLS, call(c, "navigate", s, "\"url\"", url), floor_navigate(f, url));
	IN_TURNS("click", "1.3 x", CALLS, call(c, "click", s, "\"selector\"", "#b"), floor_click(f));
	IN_TURNS("type, 14 characters", "1.3 x", CALLS,
		 json_free(stdio_client_call(c, "type", "{sessionId: ?, selector: '#i', text: ?}", s, typed)),
		 floor_type(f, typed));
	IN_TURNS("evaluate", "1.3 x", CALLS, call(c, "evaluate", s, "\"expression\"", "1+1"),
		 floor_call(f, "Runtime.evaluate", "{\"expression\":\"1+1\",\"returnByValue\":true}"));
	IN_TURNS("screenshot", "1.2 x", CALLS, call(c, "screenshot", s, NULL, NULL),
		 floor_call(f, "Page.captureScreenshot", "{\"format\":\"png\",\"optimizeForSpeed\":true}"));
}

/* The n-th call on a session: in turn navigate, click, type. */
static int send_work(struct stdio_client *c, const char *session, unsigned n, const char *url)
{
	if (n % 3 == 0)
		return stdio_client_send(c, "navigate", "{sessionId: ?, url: ?}", session, url);
	if (n % 3 == 1)
		return stdio_client_send(c, "click", "{sessionId: ?, selector: '#b'}", session);
	return stdio_client_send(c, "type", "{sessionId: ?, selector: '#i', text: ?}", session, typed);
}

/* Every session always has one call under way, until each has had its number of calls. */
static usec_t work(struct stdio_client *c, char *const sessions[SESSIONS], const char *url)
{
	unsigned sent[SESSIONS] = {};
	int owner[SESSIONS * CALLS_EACH], first_id = 0; /* which session a call is of, by its id */
	usec_t start = clock_now();

	for (int i = 0; i < SESSIONS; i++) {
		int id = send_work(c, sessions[i], sent[i]++, url);

		first_id = i == 0 ? id : first_id;
		owner[id - first_id] = i;
	}
	for (unsigned answered = 0; answered < SESSIONS * CALLS_EACH; answered++) {
		_cleanup_(json_freep) struct json *reply = stdio_client_receive(c);
		int i = owner[json_int(reply, "id", 0) - first_id];

		if (sent[i] < CALLS_EACH)
			owner[send_work(c, sessions[i], sent[i]++, url) - first_id] = i;
	}
	return clock_now() - start;
}

static void bench_throughput(struct stdio_client *c, struct floor *f, const char *url)
{
	char *sessions[SESSIONS];
	double ours = 0, bare = 0;

	floor_open_pages(f, SESSIONS, url);
	for (unsigned i = 0; i < SESSIONS; i++) {
		sessions[i] = create_session(c);
		call(c, "navigate", sessions[i], "\"url\"", url);
	}
	for (int i = 0; i < TURNS; i++) {
		bare += (double)floor_work(f, SESSIONS, CALLS_EACH, url, typed);
		ours += (double)work(c, sessions, url);
	}
	report("throughput of 10 sessions at work", ">= 0.8 x", TURNS * SESSIONS * CALLS_EACH * USEC_PER_SEC / ours,
	       TURNS * SESSIONS * CALLS_EACH * USEC_PER_SEC / bare, "calls/s");
	for (unsigned i = 0; i < SESSIONS; i++) {
		call(c, "close_session", sessions[i], NULL, NULL);
		free(sessions[i]);
	}
}

static void bench_memory(const char *program, const char *url)
{
	static const char *const args[] = { "--max-sessions", "1000", NULL };
	struct stdio_client *c = stdio_client_start(program, args);
	char *sessions[MANY_SESSIONS];
	long before;

	stdio_client_initialize(c);
	for (int i = 0; i < MANY_SESSIONS; i++) {
		sessions[i] = create_session(c);
		call(c, "navigate", sessions[i], "\"url\"", url);
		call(c, "click", sessions[i], "\"selector\"", "#b");
		if (i == 0)
			report("server memory, 1 session", "6 MiB", (double)pss_kib(stdio_client_pid(c)) / 1024, 0, "MiB");
	}
	report("server memory, 100 sessions", "12 MiB", (double)pss_kib(stdio_client_pid(c)) / 1024, 0, "MiB");
	for (int i = 0; i < MANY_SESSIONS; i++) {
		call(c, "close_session", sessions[i], NULL, NULL);
		free(sessions[i]);
	}
	before = pss_kib(stdio_client_pid(c));
	for (int i = 0; i < CHURN; i++) {
		char *session = create_session(c);

		call(c, "close_session", session, NULL, NULL);
		free(session);
	}
	report("growth over 1,000 sessions made and closed", "0.5 MiB", (double)(pss_kib(stdio_client_pid(c)) - before) / 1024, 0,
	       "MiB");
	stdio_client_stop(c);
}

static void report_size(const char *program)
{
	_cleanup_(str_done) struct str command = {};
	char copy[] = "/tmp/browserd-stripped-XXXXXX";
	struct stat st;
	int fd = mkstemp(copy);

	close(fd);
	str_appendf(&command, "strip -o %s '%s'", copy, program);
	if (system(command.data) == 0 && stat(copy, &st) == 0)
		report("program, stripped", "1 MiB", (double)st.st_size / (1 << 20), 0, "MiB");
	unlink(copy);
}

int main(int argc, char **argv)
{
	struct browser_options options = {
		.start.headless = true,
		.page.viewport = { 1280, 720 },
		.timeout_launch = 30 * USEC_PER_SEC,
	};
	struct stdio_client *c;
	struct floor *f;
	char url[64], *session;
	usec_t ignored;

	if (argc != 2) {
		fprintf(stderr, "usage: bench BROWSERD\n");
		return 2;
	}
	log_set_level(LOG_ERROR);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", page_server_start());
	report_size(argv[1]);
	bench_start(argv[1]);
	bench_first_page(argv[1], &options, url);

	f = floor_start(&options, url, &ignored);
	c = stdio_client_start(argv[1], (const char *const[]){ "--max-sessions", "100", NULL });
	stdio_client_initialize(c);
	session = create_session(c);
	call(c, "navigate", session, "\"url\"", url);
	bench_calls(c, session, f, url);
	bench_throughput(c, f, url);
	free(session);
	stdio_client_stop(c);
	bench_browser_tools(argv[1], f, url);
	floor_stop(f);

	bench_memory(argv[1], url);
	return 0;
}
