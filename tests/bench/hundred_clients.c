#include "hundred_clients.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "echo.h"
#include "measure.h"

#define CLIENTS 100
#define CALLS_EACH 20
#define TURNS 5
#define PROBE_PAUSE 2000u /* µs between two probes */

/* ---- the work ---- */

/*
 * With a page to go to, that is the first call of each; the others ask for a value. Without one they all do: Chromium's share
 * of a page is so large that it would hide what the ways to it cost.
 */
static const char title[] = "{\"function\":\"() => document.title\"}";

static void send_http(struct http_client *c, unsigned n, const char *navigate)
{
	bool page = navigate && n == 0;

	http_client_send(c, page ? "browser_navigate" : "browser_evaluate", page ? navigate : title);
}

/* Every client always has a call under way. */
static usec_t work_http(struct http_client *const clients[CLIENTS], const char *navigate)
{
	struct pollfd fds[CLIENTS];
	unsigned sent[CLIENTS] = {}, left = CLIENTS * CALLS_EACH;
	usec_t start = clock_now();

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
	}
	return clock_now() - start;
}

static int send_stdio(struct stdio_client *c, const char *session, unsigned n, const char *url)
{
	if (url && n == 0)
		return stdio_client_send(c, "browser_navigate", "{sessionId: ?, url: ?}", session, url);
	return stdio_client_send(c, "browser_evaluate", "{sessionId: ?, function: '() => document.title'}", session);
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

/* ---- /health, beside an echo that shares the machine but not the server ---- */

struct probe {
	pid_t server;
	struct http_client *client;
	struct echo echo;
	struct samples health, bare;
	struct samples busy; /* processor time that the server took meanwhile: what it did first, and the answer */
	atomic_bool over;
};

static void probe_once(struct probe *p)
{
	usec_t start, cpu;

	add(&p->bare, echo_time(&p->echo));
	cpu = cpu_usec(p->server);
	start = clock_now();
	http_client_get(p->client, "/health");
	add(&p->health, clock_now() - start);
	add(&p->busy, cpu_usec(p->server) - cpu);
}

static void *probe_thread(void *data)
{
	struct probe *p = data;

	while (!p->over && p->health.count < SAMPLES_MAX) {
		probe_once(p);
		usleep(PROBE_PAUSE);
	}
	return NULL;
}

static void report_times(const char *what, const char *goal, struct samples *times)
{
	char line[64];

	snprintf(line, sizeof(line), "%s, median", what);
	report(line, goal, percentile_msec(times, 50), 0, "ms");
	snprintf(line, sizeof(line), "%s, 99 of 100", what);
	report(line, goal, percentile_msec(times, 99), 0, "ms");
	times->count = 0;
}

static void report_probe(const char *what, struct probe *p)
{
	report_times(what, "<= 1 ms", &p->health);
	report_times("  the server's work meanwhile", "none", &p->busy);
	report_times("  an echo over TCP", "none", &p->bare);
}

static void bench_health(const struct http_process *server, struct http_client *const clients[CLIENTS], const char *navigate)
{
	struct probe p = { .server = server->pid, .client = http_client_new(server, false), .echo = echo_start_tcp() };
	pthread_t thread;

	for (int i = 0; i < CALLS; i++)
		probe_once(&p);
	report_probe("/health while nothing works", &p);
	pthread_create(&thread, NULL, probe_thread, &p);
	work_http(clients, navigate);
	p.over = true;
	pthread_join(thread, NULL);
	report_probe("/health while 100 clients work", &p);
	http_client_free(p.client);
	echo_stop(&p.echo);
}

/* ---- both ---- */

/* Of either way the best turn: what else the machine does can only take away from it. */
static void bench_throughput(const struct http_process *server, struct http_client *const clients[CLIENTS],
			     struct stdio_client *stdio, char *const sessions[CLIENTS])
{
	usec_t http_time = USEC_NEVER, stdio_time = USEC_NEVER, http_work = 0, stdio_work = 0, http_own = 0, stdio_own = 0;
	double calls = CLIENTS * CALLS_EACH;

	for (int i = 0; i < TURNS; i++) {
		stdio_work -= cpu_usec(stdio_client_pid(stdio));
		stdio_own -= cpu_usec(getpid());
		stdio_time = MIN(stdio_time, work_stdio(stdio, sessions, NULL));
		stdio_work += cpu_usec(stdio_client_pid(stdio));
		stdio_own += cpu_usec(getpid());
		http_work -= cpu_usec(server->pid);
		http_own -= cpu_usec(getpid());
		http_time = MIN(http_time, work_http(clients, NULL));
		http_work += cpu_usec(server->pid);
		http_own += cpu_usec(getpid());
	}
	report("throughput of 100 HTTP clients", ">= 0.8 x", calls * USEC_PER_SEC / (double)http_time,
	       calls * USEC_PER_SEC / (double)stdio_time, "calls/s");
	report("  the server's work for each call", "none", (double)http_work / TURNS / calls / USEC_PER_MSEC,
	       (double)stdio_work / TURNS / calls / USEC_PER_MSEC, "ms");
	report("  the clients' work for each call", "none", (double)http_own / TURNS / calls / USEC_PER_MSEC,
	       (double)stdio_own / TURNS / calls / USEC_PER_MSEC, "ms");
}

void bench_hundred(const struct http_process *http, struct stdio_client *stdio, const char *url)
{
	_cleanup_(str_done) struct str navigate = {};
	struct http_client *clients[CLIENTS];
	char *sessions[CLIENTS];

	str_json(&navigate, "{url: ?}", url);
	for (int i = 0; i < CLIENTS; i++) {
		_cleanup_(json_freep) struct json *created = stdio_client_call(stdio, "create_session", "{}");

		sessions[i] = must(strdup(json_str(created, "result.structuredContent.sessionId")));
		clients[i] = http_client_new(http, true);
	}
	work_stdio(stdio, sessions, url);
	work_http(clients, navigate.data);
	bench_health(http, clients, navigate.data);
	bench_throughput(http, clients, stdio, sessions);
	for (int i = 0; i < CLIENTS; i++) {
		http_client_free(clients[i]);
		free(sessions[i]);
	}
}
