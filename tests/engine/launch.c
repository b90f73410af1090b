/* The browser as a process: each start makes an empty one. */
#include "engine/launch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "engine/browser.h"
#include "engine/emulate.h"
#include "engine/features.h"
#include "memory.h"

static struct launch *last; /* that was started */

bool engine_can_freeze(const struct engine_target *s)
{
	return true;
}

unsigned engine_features(const struct engine_options *o)
{
	return UINT_MAX;
}

unsigned engine_empty_memory(const struct engine_options *o)
{
	return 0;
}

int launch_start(struct loop *l, const struct engine_options *o, struct launch_history *history,
		 const struct launch_handler *handler, void *data, struct str *error, struct launch **ret)
{
	struct launch *b;

	if (o->executable) {
		str_appendf(error, "there is no %s in memory", o->executable);
		return -ENOENT;
	}
	b = NEW(struct launch);
	*b = (struct launch){ .loop = l, .handler = handler, .data = data };
	b->timer = timer_new(l, memory_take_message, b);
	TAILQ_INIT(&b->messages);
	TAILQ_INIT(&b->targets);
	TAILQ_INIT(&b->pages);
	b->root = memory_target_new(b, "");
	*ret = last = b;
	return 0;
}

static void open_connection(struct memory_message *m)
{
	struct launch *b = m->target->browser;

	b->handler->connection.open(b->root, b->data);
}

int launch_connect(struct launch *b)
{
	memory_post(b->root, "connection", open_connection, "");
	return 0;
}

static void fail_calls(struct launch *b)
{
	struct engine_target *s;

	while ((s = TAILQ_LAST(&b->targets, memory_targets)))
		memory_target_end(s, -ENOTCONN);
}

/* Who is attached to a page keeps a target that has ended. */
static void end_process(struct launch *b)
{
	fail_calls(b);
	b->handler->connection.closed("the process has ended", b->data);
	b->handler->exited("was killed", b->data);
}

void memory_end_browser(void)
{
	if (last && last->root->browser)
		end_process(last);
}

static void end(struct memory_message *m)
{
	end_process(m->target->browser);
}

void launch_kill(struct launch *b)
{
	memory_post(b->root, "end", end, "");
}

void engine_close(struct engine_target *root)
{
	launch_kill(root->browser);
}

struct launch *launch_free(struct launch *b)
{
	struct memory_page *p;

	if (!b)
		return NULL;
	fail_calls(b);
	if (last == b)
		last = NULL;
	free(b->root);
	while ((p = TAILQ_FIRST(&b->pages))) {
		TAILQ_REMOVE(&b->pages, p, link);
		free(p);
	}
	timer_free(b->timer);
	free(b);
	return NULL;
}

/* No process of this machine is it, and no files are its own. */
pid_t launch_pid(const struct launch *b)
{
	return 0;
}

const char *launch_downloads(const struct launch *b)
{
	return "/nowhere";
}

const char *launch_uploads(const struct launch *b)
{
	return "/nowhere";
}

const char *launch_program(const struct launch *b)
{
	return "the browser in memory";
}

void launch_forget_output(struct launch *b)
{
}

const char *launch_output(struct launch *b)
{
	return "";
}

const char *launch_warning(const struct launch *b)
{
	return "";
}

/* ---- browsers that run already: there are none ---- */

struct engine_connection *engine_disconnect(struct engine_connection *c)
{
	return NULL;
}
