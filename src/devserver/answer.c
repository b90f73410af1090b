#include "devserver/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "loop/httpget.h"

#define PATIENCE (2 * USEC_PER_SEC)

struct question {
	struct task *task;
	struct httpget *get;
	bool done;
	const char *failure; /* in the task's arena, or NULL */
	unsigned status;     /* 0 before the response */
};

static void on_done(struct str *body, const char *failure, void *data)
{
	struct question *q = data;

	q->done = true;
	q->failure = arena_strdup(task_arena(q->task), failure);
	q->status = httpget_status(q->get);
	task_wake(q->task);
}

static struct question ask(struct task *t, const struct httpget_probe *probe)
{
	struct question q = { .task = t, .failure = "timeout while waiting for the response" };
	usec_t before = task_deadline(t);
	int r = 0;

	q.get = httpget_probe_new(task_loop(t), probe, on_done, &q);
	task_set_deadline(t, MIN(before, clock_now() + PATIENCE));
	while (r == 0 && !q.done)
		r = task_wait(t, "a response of the server");
	task_set_deadline(t, before);
	q.get = httpget_free(q.get);
	return q;
}

/* The addresses to try for each host name: localhost can be of either family. */
static const struct host {
	const char *name;
	const char *addresses[3];
} host_table[] = {
	{ "localhost", { "127.0.0.1", "::1" } },
	{ "127.0.0.1", { "127.0.0.1" } },
	{ "[::1]", { "::1" } },
};

static const struct host *find_host(const char *authority)
{
	for (size_t i = 0; i < ARRAY_SIZE(host_table); i++) {
		size_t len = strlen(host_table[i].name);

		if (strncasecmp(authority, host_table[i].name, len) == 0 && (!authority[len] || strchr(":/?#", authority[len])))
			return &host_table[i];
	}
	return NULL;
}

struct place {
	const struct host *host;
	bool tls;
	int port;
	const char *path;
};

static bool find_place(const char *url, struct place *ret)
{
	const char *authority, *rest;

	ret->tls = strncasecmp(url, "https://", strlen("https://")) == 0;
	if (!ret->tls && strncasecmp(url, "http://", strlen("http://")) != 0)
		return false;
	authority = strstr(url, "://") + 3;
	ret->host = find_host(authority);
	if (!ret->host)
		return false;
	rest = authority + strlen(ret->host->name);
	ret->port = *rest == ':' ? (int)strtol(rest + 1, NULL, 10) : ret->tls ? 443 : 80;
	ret->path = strchr(rest, '/') ? strchr(rest, '/') : "/";
	return ret->port > 0 && ret->port <= 65535;
}

bool answer_can_ask(const char *url)
{
	struct place place;

	return find_place(url, &place);
}

bool answer_is_tls_on(const char *url, int port)
{
	struct place place;

	return find_place(url, &place) && place.tls && place.port == port;
}

bool answer_is_good(struct task *t, const char *url, enum answer_kind kind, const char **ret_why)
{
	struct question q = {};
	struct place place;

	*ret_why = "not a URL of this machine";
	if (!find_place(url, &place))
		return false;
	for (const char *const *address = place.host->addresses; *address; address++) {
		struct question next = ask(t, &(const struct httpget_probe){
						      .address = *address,
						      .name = place.host->name[0] == '[' ? *address : place.host->name,
						      .port = place.port,
						      .tls = place.tls,
						      .path = place.path,
						      .max_status = kind == ANSWER_SUCCESS ? 399 : 499,
					      });

		if (!next.failure)
			return true;
		q = q.status ? q : next; /* a response is more informative than a failed connection */
	}
	*ret_why = q.failure;
	return false;
}
