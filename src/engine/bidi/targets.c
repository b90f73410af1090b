/* Targets: the browser itself, and the pages that somebody is attached to. */
#include "engine/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"
#include "engine/bidi/internal.h"
#include "engine/browser.h"

struct engine_target *bidi_target_add(struct bidi *c, const char *id)
{
	struct engine_target *s = NEW(struct engine_target);

	*s = (struct engine_target){ .engine = &bidi_engine, .connection = c };
	engine_id_set(s->id, id);
	TAILQ_INIT(&s->pending);
	TAILQ_INIT(&s->turns);
	TAILQ_INIT(&s->preloads);
	TAILQ_INIT(&s->exposed);
	TAILQ_INIT(&s->traffic.requests);
	TAILQ_INSERT_TAIL(&c->targets, s, link);
	return s;
}

/* The contexts of a page belong to nobody from here on. */
static void leave_contexts(struct bidi_context *x)
{
	struct bidi_context *child;

	x->page = NULL;
	TAILQ_FOREACH(child, &x->children, link)
		leave_contexts(child);
}

void bidi_target_remove(struct engine_target *s)
{
	struct bidi *c = s->connection;

	if (c->charged == s->meter) /* which may end with the target */
		c->charged = NULL;
	bidi_forget_requests(s);
	if (s->context)
		leave_contexts(s->context);
	s->context = NULL;
	TAILQ_REMOVE(&c->targets, s, link);
	s->connection = NULL;
}

static void join_contexts(struct bidi_context *x, struct engine_target *s)
{
	struct bidi_context *child;

	x->page = s;
	TAILQ_FOREACH(child, &x->children, link)
		join_contexts(child, s);
}

/* An attachment has the id of the page. */
struct engine_target *engine_target_new(struct engine_target *from, const char *attachment, const struct engine_events *events,
					void *data)
{
	struct bidi *c = from->connection;
	struct bidi_context *x = c && engine_id_is_valid(attachment) ? bidi_find_context(c, attachment) : NULL;
	struct engine_target *s;

	if (!x || x->parent || x->page)
		return NULL;
	s = bidi_target_add(c, attachment);
	s->hears = events;
	s->data = data;
	s->context = x;
	join_contexts(x, s);
	return s;
}

struct engine_target *engine_target_free(struct engine_target *s)
{
	if (!s)
		return NULL;
	bidi_forget_stuck(s);
	bidi_drop_turns(s);
	if (s->connection)
		bidi_forget_front(s, -ESTALE);
	bidi_fail_calls(s, 0, -ESTALE);
	if (s->connection)
		bidi_target_remove(s);
	bidi_forget_scripts(s);
	bidi_forget_input(s);
	free(s->traffic.intercepted_url);
	free(s);
	return NULL;
}

const char *engine_target_id(const struct engine_target *s)
{
	return s->id;
}

void engine_count(struct engine_target *s, struct engine_meter *m)
{
	s->meter = m;
}

/* ---- what the browser says of pages ---- */

static struct target_info info_of(const struct bidi_context *x)
{
	return (struct target_info){
		.id = x->id,
		.kind = TARGET_PAGE,
		.type = "page",
		.subtype = "",
		.title = "",
		.url = str_text(&x->url),
		.context = x->user_context,
		.opener = x->opener,
		.parent_frame = "",
		.reaches_opener = x->opener[0],
		.attached = x->page,
	};
}

void bidi_report_page(struct bidi *c, const struct bidi_context *x)
{
	const struct engine_browser_events *e = c->root->browser_events;
	const struct engine_attachment a = { .id = x->id, .target = info_of(x) };

	if (e && e->attached && c->root->attaches && !x->page)
		e->attached(c->root, &a, e->data);
}

void engine_listen(struct engine_target *root, const struct engine_browser_events *e)
{
	root->browser_events = e;
}

/* Workers are no targets in BiDi, and frames belong to their pages: only the browser itself makes targets. A handler may close the page. */
void engine_attach_new(struct engine_target *s)
{
	struct bidi *c = s->connection;
	struct bidi_context *x, *next;

	if (!c || s != c->root || s->attaches)
		return;
	s->attaches = true;
	for (x = TAILQ_FIRST(&c->pages); x; x = next) {
		next = TAILQ_NEXT(x, link);
		bidi_report_page(c, x);
	}
}

bool engine_let_run(struct engine_target *root, const char *attachment)
{
	return true;
}

void engine_close_target(struct engine_target *root, const char *id)
{
	bidi_post(root, "browsingContext.close", "{context: ?}", id);
}

/* Its reply may never come (errand.c). That to the next command comes when the window has changed its page. */
int engine_bring_to_front(struct task *t, struct engine_target *s)
{
	if (s)
		bidi_post(s, "browsingContext.activate", "{context: ?}", s->id);
	return t ? engine_confirm(t, s) : 0;
}

int engine_confirm(struct task *t, struct engine_target *s)
{
	return bidi_call(t, s, NULL, 0, "session.status", "{}");
}

int engine_confirm_page(struct task *t, struct engine_target *s)
{
	return bidi_call(t, s, NULL, 0, "browsingContext.getTree", "{root: ?, maxDepth: 0}", s ? s->id : "");
}

/* ---- lists ---- */

void engine_ask_targets(struct task *t, struct engine_target *root, struct engine_call *call)
{
	bidi_send(t, root, call, 0, "browsingContext.getTree", "{maxDepth: 0}");
}

void engine_take_targets(struct engine_call *call, struct target_list *ret)
{
	const struct json *list = json_get(bidi_result(call), "contexts");

	ret->items = must(realloc(ret->items, (ret->count + json_count(list) + 1) * sizeof(*ret->items)));
	ret->replies = must(realloc(ret->replies, (ret->reply_count + 1) * sizeof(*ret->replies)));
	json_foreach(x, list)
		ret->items[ret->count++] = (struct target_info){ .id = json_text(x, "context"),
								 .kind = TARGET_PAGE,
								 .type = "page",
								 .subtype = "",
								 .title = NULL,
								 .url = json_text(x, "url"),
								 .context = json_text(x, "userContext"),
								 .opener = json_text(x, "originalOpener"),
								 .parent_frame = "",
								 .reaches_opener = json_str(x, "originalOpener"),
								 .attached = true };
	ret->replies[ret->reply_count++] = TAKE_PTR(call->reply);
}

int engine_list_targets(struct task *t, struct engine_target *root, struct target_list *ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	*ret = (struct target_list){};
	engine_ask_targets(t, root, &call);
	r = engine_await(t, &call);
	if (r == 0)
		engine_take_targets(&call, ret);
	return r;
}

int engine_own_context(struct task *t, struct engine_target *root, struct str *ret_id, struct target_list *ret)
{
	str_set(ret_id, "default");
	return engine_list_targets(t, root, ret);
}

/* Titles may be of any length. */
#define ASK_TITLE \
	"{expression: 'document.title.slice(0, 4096)', target: {context: ?, sandbox: 'browserd-title'}, awaitPromise: false}"
_Static_assert(LIMIT_TITLE == 4096, "the title that is asked for has this length");

void engine_ask_title(struct task *t, struct engine_target *root, struct engine_call *call, const char *id)
{
	bidi_send(t, root, call, 0, "script.evaluate", ASK_TITLE, id);
}

void engine_take_title(struct engine_call *call, struct target_list *list, struct target_info *of)
{
	of->title = json_text(bidi_result(call), "result.value");
	list->replies = must(realloc(list->replies, (list->reply_count + 1) * sizeof(*list->replies)));
	list->replies[list->reply_count++] = TAKE_PTR(call->reply);
}

/* The document says its title: the browser itself does not. */
int engine_title(struct task *t, struct engine_target *root, const char *id, const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = bidi_call(t, root, &reply, 0, "script.evaluate", ASK_TITLE, id);

	*ret = arena_strdup(task_arena(t), json_text(reply, "result.result.value"));
	return r;
}
