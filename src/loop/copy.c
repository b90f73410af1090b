#include "loop/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

#define PART (1u << 20) /* bytes at a time: a millisecond */

struct copy {
	struct loop *loop;
	struct ready part;
	void (*done)(int r, void *data);
	void *data;
	int in, out;
	struct str growing; /* its path; empty: there is none */
	struct str to;
};

/* As other files that the process makes. */
static int take_place(struct copy *c)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(c->out, 0666 & ~mask) < 0 || rename(c->growing.data, c->to.data) < 0)
		return -errno;
	str_reset(&c->growing);
	return 0;
}

static void copy_part(struct ready *r)
{
	struct copy *c = CONTAINER_OF(r, struct copy, part);
	ssize_t n = sendfile(c->out, c->in, NULL, PART);

	if (n > 0 || (n < 0 && errno == EINTR))
		loop_ready(c->loop, &c->part);
	else
		c->done(n < 0 ? -errno : take_place(c), c->data);
}

static int open_growing(struct copy *c)
{
	const char *slash = strrchr(c->to.data, '/');

	str_append_len(&c->growing, c->to.data, slash ? (size_t)(slash - c->to.data) + 1 : 0);
	str_append(&c->growing, ".browserd-XXXXXX");
	c->out = mkostemp(c->growing.data, O_CLOEXEC);
	if (c->out >= 0)
		return 0;
	str_reset(&c->growing);
	return -errno;
}

int copy_start(struct loop *l, const char *from, const char *to, void (*done)(int r, void *data), void *data, struct copy **ret)
{
	_cleanup_(copy_freep) struct copy *c = NEW(struct copy);
	int r;

	*c = (struct copy){ .loop = l, .part.run = copy_part, .done = done, .data = data, .out = -1 };
	str_append(&c->to, to);
	c->in = open(from, O_RDONLY | O_CLOEXEC);
	if (c->in < 0)
		return -errno;
	r = open_growing(c);
	if (r < 0)
		return r;
	loop_ready(l, &c->part);
	*ret = TAKE_PTR(c);
	return 0;
}

struct copy *copy_free(struct copy *c)
{
	if (!c)
		return NULL;
	loop_cancel_ready(c->loop, &c->part);
	if (c->in >= 0)
		close(c->in);
	if (c->out >= 0)
		close(c->out);
	if (c->growing.len)
		unlink(c->growing.data);
	str_done(&c->growing);
	str_done(&c->to);
	free(c);
	return NULL;
}
