/*
 * What it costs to be watched: page loads of 500 requests, observed and not, on one browser and in turns; the server's
 * time for each event, its memory for a full buffer, its time when nothing happens. Never fails because of a number.
 *
 * usage: watching BROWSERD
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "floor.h"
#include "measure.h"
#include "stdio_client.h"
#include "support/page_server.h"

#ifndef LOADS
#define LOADS 15
#endif
#define REQUESTS 500
#define EVENTS (3 * (REQUESTS + 1)) /* request, response, end; and those of the document */
#define BUFFER 10000
#define IDLE_SEC 5

struct watch {
	struct stdio_client *client;
	struct floor *floor;
	char url[64];
	/* Of the observed loads, in all. */
	usec_t cpu;
	long long events;
};

static void start(struct watch *w, const char *program)
{
	if (w->client)
		stdio_client_stop(w->client);
	w->client = stdio_client_start(program, (const char *const[]){ "--caps", "observe", NULL });
	stdio_client_initialize(w->client);
}

static void observe(struct watch *w)
{
	json_free(stdio_client_call(w->client, "cdp_observe", "{port: ?, targetId: ?}", floor_port(w->floor),
				    floor_target(w->floor)));
}

static void stop(struct watch *w)
{
	json_free(stdio_client_call(w->client, "cdp_stop_observe", "{targetId: ?}", floor_target(w->floor)));
}

/* Number after the newest event. */
static long long newest(struct watch *w)
{
	_cleanup_(json_freep) struct json *reply =
		stdio_client_call(w->client, "cdp_read_events", "{targetId: ?, offset: 9007199254740991}", floor_target(w->floor));

	return json_int(reply, "result.structuredContent.nextOffset", 0);
}

/* All that a load makes has come, which takes longer than the load event. Returns the number after it. */
static long long await_events(struct watch *w, long long before)
{
	long long now;

	while ((now = newest(w)) - before < EVENTS)
		usleep(10000); /* to be asked costs the server time, too */
	return now;
}

/* The load that matters is the one before which the observer has settled in. */
static usec_t load_observed(struct watch *w)
{
	pid_t pid = stdio_client_pid(w->client);
	long long before;
	usec_t cpu, elapsed;

	observe(w);
	before = newest(w);
	cpu = cpu_usec(pid);
	elapsed = floor_navigate(w->floor, w->url);
	w->events += await_events(w, before) - before;
	w->cpu += cpu_usec(pid) - cpu;
	stop(w);
	return elapsed;
}

/* The events are enabled, but discarded on arrival: measures the browser's share of the cost. */
static usec_t load_reported(struct watch *w)
{
	usec_t elapsed;

	floor_call(w->floor, "Runtime.enable", "{}");
	floor_call(w->floor, "Network.enable", "{}");
	elapsed = floor_navigate(w->floor, w->url);
	floor_call(w->floor, "Network.disable", "{}");
	floor_call(w->floor, "Runtime.disable", "{}");
	return elapsed;
}

static void bench_loads(struct watch *w)
{
	struct samples alone = {}, reported = {}, observed = {};

	floor_navigate(w->floor, w->url);
	for (int i = 0; i < LOADS; i++) {
		add(&alone, floor_navigate(w->floor, w->url));
		add(&reported, load_reported(w));
		add(&observed, load_observed(w));
	}
	report("load of 500 requests, observed", "1.05 x", median_msec(&observed), median_msec(&alone), "ms");
	report("  the browser's part: events sent and discarded", "", median_msec(&reported), median_msec(&alone), "ms");
	report("  the server's part: observed against that", "1.05 x", median_msec(&observed), median_msec(&reported), "ms");
	report("server time for each event", "20 us", (double)w->cpu / (double)w->events, 0, "us");
	report("  events of a load", "3 for each request", (double)w->events / LOADS, 0, "");
}

static usec_t load_ours(struct watch *w, const char *session)
{
	usec_t start = clock_now();

	json_free(stdio_client_call(w->client, "navigate", "{sessionId: ?, url: ?}", session, w->url));
	return clock_now() - start;
}

static usec_t load_ours_observed(struct watch *w, const char *session)
{
	_cleanup_(json_freep) struct json *reply = stdio_client_call(w->client, "cdp_observe", "{urlIncludes: ?}", w->url);
	usec_t elapsed = load_ours(w, session);

	json_free(stdio_client_call(w->client, "cdp_stop_observe", "{targetId: ?}",
				    json_str(reply, "result.structuredContent.targetId")));
	return elapsed;
}

/* A page of ours is watched whether or not somebody asks for its events. */
static void bench_session(struct watch *w)
{
	_cleanup_(json_freep) struct json *reply = stdio_client_call(w->client, "create_session", "{}");
	const char *session = json_str(reply, "result.structuredContent.sessionId");
	struct samples bare = {}, alone = {}, observed = {};

	stop(w);
	load_ours(w, session);
	for (int i = 0; i < LOADS; i++) {
		add(&bare, floor_navigate(w->floor, w->url));
		add(&alone, load_ours(w, session));
		add(&observed, load_ours_observed(w, session));
	}
	report("load in a session, observed", "1.05 x", median_msec(&observed), median_msec(&alone), "ms");
	report("  the session: against bare calls", "as observed", median_msec(&alone), median_msec(&bare), "ms");
	json_free(stdio_client_call(w->client, "close_session", "{sessionId: ?}", session));
}

/* By a server that has held nothing before. */
static void bench_memory(struct watch *w, const char *program)
{
	long before;
	pid_t pid;

	start(w, program);
	pid = stdio_client_pid(w->client);
	json_free(stdio_client_call(w->client, "cdp_observe", "{port: ?, targetId: ?, bufferSize: ?}", floor_port(w->floor),
				    floor_target(w->floor), BUFFER));
	before = pss_kib(pid);
	while (newest(w) < BUFFER)
		floor_navigate(w->floor, w->url);
	report("memory of 10,000 events", "16 MiB", (double)(pss_kib(pid) - before) / 1024, 0, "MiB");
}

static void bench_idle(struct watch *w)
{
	pid_t pid = stdio_client_pid(w->client);
	usec_t before;

	newest(w);
	sleep(1);
	before = cpu_usec(pid);
	sleep(IDLE_SEC);
	report("server time for 5 s of an idle observed page", "0 us", (double)(cpu_usec(pid) - before), 0, "us");
}

int main(int argc, char **argv)
{
	static const char *const args[] = { FLOOR_LISTENS, NULL };
	static const struct browser_options options = {
		.start.headless = true,
		.page.viewport = { 1280, 720 },
		.timeout_launch = 30 * USEC_PER_SEC,
		.start.args = args,
	};
	struct watch w = {};
	usec_t ignored;

	if (argc != 2) {
		fprintf(stderr, "usage: watching BROWSERD\n");
		return 2;
	}
	log_set_level(LOG_ERROR);
	snprintf(w.url, sizeof(w.url), "http://127.0.0.1:%d/many?%d", page_server_start(), REQUESTS);
	w.floor = floor_start(&options, w.url, &ignored);
	start(&w, argv[1]);
	bench_loads(&w);
	bench_memory(&w, argv[1]);
	bench_idle(&w);
	bench_session(&w);
	stdio_client_stop(w.client);
	floor_stop(w.floor);
	return 0;
}
