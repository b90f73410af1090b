#include "people/glance.h"

#include <errno.h>

#include "act/snapshot.h"
#include "base/limits.h"
#include "page/modal.h"
#include "page/rest.h"
#include "people/shown.h"

#define GLANCE_TIMEOUT (5 * USEC_PER_SEC)

struct glance {
	struct registry *registry;
	struct session_key key;
	glance_done_fn done; /* NULL: cancelled */
	void *data;
	struct task *task;
	struct str text;
	const char *why; /* a static string; NULL: `text` is there */
};

static unsigned glances;

unsigned glance_count(void)
{
	return glances;
}

static const char *glance_failure(int r)
{
	return r == -ESTALE ? "gone" : r == -EMSGSIZE ? "large" : "unanswered";
}

static int glance_take(struct task *t, struct glance *g, struct page *p)
{
	static const struct snapshot_options options = { .plain = true, .conceals = true };
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	_cleanup_(str_done) struct str text = {};
	int r;

	page_hold_awake(p);
	r = page_await_awake(t, p);
	if (r == 0)
		r = frame_snapshot(t, f, &options, &text, NULL);
	page_let_rest(p);
	if (r < 0)
		return r;
	shown_lines(&g->text, str_text(&text), LIMIT_GLANCE);
	return 0;
}

static int glance_run(struct task *t, void *data)
{
	struct glance *g = data;
	_cleanup_(page_unrefp) struct page *p = page_ref(registry_page(g->registry, g->key.owner, g->key.session));
	int r;

	if (!p || page_dialog_type(p)) {
		g->why = p ? "dialog" : "gone";
		return 0;
	}
	task_set_deadline(t, clock_now() + GLANCE_TIMEOUT);
	r = glance_take(t, g, p);
	g->why = r < 0 ? glance_failure(r) : NULL;
	return r;
}

static void glance_on_done(struct task *t, int r, void *data)
{
	struct glance *g = data;

	glances--;
	if (g->done)
		g->done(g->why ? NULL : str_text(&g->text), g->why, g->data);
	str_done(&g->text);
	free(g);
}

struct glance *glance_begin(struct loop *l, struct registry *r, const struct session_key *key, glance_done_fn done, void *data)
{
	struct glance *g = NEW(struct glance);

	*g = (struct glance){ .registry = r, .key = *key, .done = done, .data = data, .why = "unanswered" };
	if (task_start(l, "glance", glance_run, glance_on_done, g, &g->task) < 0) {
		free(g);
		return NULL;
	}
	glances++;
	return g;
}

void glance_cancel(struct glance *g)
{
	g->done = NULL;
	task_cancel(g->task, -ECANCELED, "nobody looks any more");
}
