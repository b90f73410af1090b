#include "loop/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define PART (1u << 20) /* bytes in each round, which take about a millisecond */

struct copy {
	struct loop *loop;
	struct ready part;
	void (*done)(int r, void *data);
	void *data;
	int in, out;
	bool by_reference; /* copy_file_range() has not failed so far */
};

/* copy_file_range() lets the file system share blocks; where it is not supported, sendfile() copies through the page cache. */
static ssize_t copy_some(struct copy *c)
{
	ssize_t n = c->by_reference ? copy_file_range(c->in, NULL, c->out, NULL, PART, 0) : sendfile(c->out, c->in, NULL, PART);

	if (c->by_reference && n <= 0) {
		c->by_reference = false;
		n = sendfile(c->out, c->in, NULL, PART);
	}
	return n;
}

static void copy_copy_part(struct ready *r)
{
	struct copy *c = CONTAINER_OF(r, struct copy, part);
	ssize_t n = copy_some(c);

	if (n > 0 || (n < 0 && errno == EINTR))
		loop_ready(c->loop, &c->part);
	else
		c->done(n < 0 ? -errno : 0, c->data);
}

struct copy *copy_start(struct loop *l, int in, int out, void (*done)(int r, void *data), void *data)
{
	struct copy *c = NEW(struct copy);

	*c = (struct copy){
		.loop = l, .part.run = copy_copy_part, .done = done, .data = data, .in = in, .out = out, .by_reference = true
	};
	loop_ready(l, &c->part);
	return c;
}

struct copy *copy_free(struct copy *c)
{
	if (!c)
		return NULL;
	loop_cancel_ready(c->loop, &c->part);
	free(c);
	return NULL;
}

struct waiting {
	struct task *task;
	bool over;
	int result;
};

static void copy_on_done(int r, void *data)
{
	struct waiting *w = data;

	w->over = true;
	w->result = r;
	task_wake(w->task);
}

int copy_file(struct task *t, int in, int out)
{
	struct waiting w = { .task = t };
	struct copy *c = copy_start(task_loop(t), in, out, copy_on_done, &w);
	int r = 0;

	while (r == 0 && !w.over)
		r = task_wait(t, "the copy of a file");
	copy_free(c);
	return r < 0 ? r : w.result;
}
