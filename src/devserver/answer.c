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
	bool done, good;
};

static void on_done(struct str *body, const char *failure, void *data)
{
	struct question *q = data;

	q->done = true;
	q->good = !failure;
	task_wake(q->task);
}

static bool ask(struct task *t, const char *host, int port, const char *path, enum answer_kind kind)
{
	struct question q = { .task = t };
	_cleanup_(httpget_freep) struct httpget *get = NULL;
	usec_t before = task_deadline(t);
	int r = 0;

	get = httpget_new_status(task_loop(t), host, port, path, kind == ANSWER_SUCCESS ? 399 : 499, on_done, &q);
	task_set_deadline(t, MIN(before, clock_now() + PATIENCE));
	while (r == 0 && !q.done)
		r = task_wait(t, "an answer of the server");
	task_set_deadline(t, before);
	return q.good;
}

/* Where the name of this machine may lead: both families. */
static const struct {
	const char *name;
	const char *addresses[3];
} host_table[] = {
	{ "localhost", { "127.0.0.1", "::1" } },
	{ "127.0.0.1", { "127.0.0.1" } },
	{ "[::1]", { "::1" } },
};

struct place {
	const char *const *addresses;
	int port;
	const char *path;
};

static bool find_place(const char *url, struct place *ret)
{
	const char *p = url + strlen("http://");

	if (strncasecmp(url, "http://", strlen("http://")) != 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(host_table); i++) {
		size_t len = strlen(host_table[i].name);
		char *end;

		if (strncasecmp(p, host_table[i].name, len) != 0 || (p[len] && !strchr(":/?#", p[len])))
			continue;
		ret->addresses = host_table[i].addresses;
		ret->port = p[len] == ':' ? (int)strtol(p + len + 1, &end, 10) : 80;
		ret->path = strchr(p + len, '/') ? strchr(p + len, '/') : "/";
		return ret->port > 0 && ret->port <= 65535;
	}
	return false;
}

bool answer_can_ask(const char *url)
{
	struct place place;

	return find_place(url, &place);
}

bool answer_is_good(struct task *t, const char *url, enum answer_kind kind)
{
	struct place place;

	if (!find_place(url, &place))
		return false;
	for (const char *const *address = place.addresses; *address; address++)
		if (ask(t, *address, place.port, place.path, kind))
			return true;
	return false;
}
