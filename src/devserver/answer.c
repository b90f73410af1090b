#include "devserver/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "loop/fetch.h"
#include "loop/http_url.h"

#define PATIENCE (2 * USEC_PER_SEC)

struct question {
	struct task *task;
	struct fetch *fetch;
	bool done;
	const char *failure; /* in the task's arena, or NULL */
	unsigned status;     /* 0 before the response */
};

static void answer_on_done(struct str *body, const char *failure, void *data)
{
	struct question *q = data;

	q->done = true;
	q->failure = arena_strdup(task_arena(q->task), failure);
	q->status = fetch_status(q->fetch);
	task_wake(q->task);
}

static struct question answer_ask(struct task *t, const char *address, const struct request *request, unsigned max_status)
{
	struct question q = { .task = t, .failure = "timeout while waiting for the response" };
	usec_t before = task_deadline(t);
	int r = 0;

	q.fetch = fetch_probe_new(task_loop(t), address, request, max_status, answer_on_done, &q);
	task_set_deadline(t, MIN(before, clock_now() + PATIENCE));
	while (r == 0 && !q.done)
		r = task_wait(t, "a response of the server");
	task_set_deadline(t, before);
	q.fetch = fetch_free(q.fetch);
	return q;
}

/* The addresses to try for each host: localhost can be of either family. */
static const struct host {
	const char *name;
	const char *addresses[3];
} host_table[] = {
	{ "localhost", { "127.0.0.1", "::1" } },
	{ "127.0.0.1", { "127.0.0.1" } },
	{ "::1", { "::1" } },
};

/* NULL: the URL is not one of this machine. */
static const struct host *find_host(const char *url, struct http_url *ret)
{
	if (!http_url_split(url, ret))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(host_table); i++)
		if (strcasecmp(ret->host, host_table[i].name) == 0)
			return &host_table[i];
	return NULL;
}

bool answer_can_ask(const char *url)
{
	struct http_url u;

	return find_host(url, &u);
}

bool answer_is_tls_on(const char *url, int port)
{
	struct http_url u;

	return find_host(url, &u) && u.tls && u.port == port;
}

bool answer_is_good(struct task *t, const char *url, enum answer_kind kind, const char **ret_why)
{
	struct question q = {};
	struct http_url u;
	const struct host *host = find_host(url, &u);
	/* Servers of applications in development have self-signed certificates. */
	struct request request = { .host = u.host, .port = u.port, .tls = u.tls, .any_certificate = true };

	*ret_why = "not a URL of this machine";
	if (!host)
		return false;
	request.path = arena_printf(task_arena(t), "%.*s", (int)strcspn(u.path, "#"), u.path);
	for (const char *const *address = host->addresses; *address; address++) {
		struct question next = answer_ask(t, *address, &request, kind == ANSWER_SUCCESS ? 399 : 499);

		if (!next.failure)
			return true;
		q = q.status ? q : next; /* a response is more informative than a failed connection */
	}
	*ret_why = q.failure;
	return false;
}
