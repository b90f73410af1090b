/* The tree of browsing contexts: pages and their frames. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bidi/internal.h"

static int compare_contexts(const void *a, const void *b)
{
	const struct bidi_context *x = a, *y = b;

	return strcmp(x->id, y->id);
}

struct bidi_context *bidi_find_context(struct bidi *c, const char *id)
{
	struct bidi_context wanted, **found;

	if (!engine_id_is_valid(id))
		return NULL;
	engine_id_set(wanted.id, id);
	found = tfind(&wanted, &c->contexts_by_id, compare_contexts);
	return found ? *found : NULL;
}

struct engine_target *bidi_page_of(const struct bidi_context *x)
{
	return x->page;
}

static unsigned *context_counter(struct bidi *c, struct bidi_context *x)
{
	return x->parent ? &x->top->frame_count : &c->page_count;
}

struct bidi_context *bidi_add_context(struct bidi *c, const struct json *params, struct bidi_context *parent)
{
	struct bidi_context *x = NEW(struct bidi_context);
	const char *user = json_str(params, "userContext"), *opener = json_str(params, "originalOpener");

	*x = (struct bidi_context){ .parent = parent, .page = parent ? parent->page : NULL, .top = parent ? parent->top : x };
	engine_id_set(x->id, json_text(params, "context"));
	engine_id_set(x->user_context, engine_id_is_valid(user) ? user : "");
	engine_id_set(x->opener, engine_id_is_valid(opener) ? opener : "");
	str_set(&x->url, json_text(params, "url"));
	TAILQ_INIT(&x->children);
	TAILQ_INIT(&x->worlds);
	TAILQ_INIT(&x->requests);
	TAILQ_INSERT_TAIL(parent ? &parent->children : &c->pages, x, link);
	must(tsearch(x, &c->contexts_by_id, compare_contexts));
	*context_counter(c, x) += 1;
	return x;
}

/* A step that leads to no entry which is known shows one before all that are, or behind them. */
static void step_to(struct bidi_history *h, int step)
{
	int wanted = MIN(h->count - 1, h->current + step);

	h->current = MAX(0, wanted);
	h->step = 0;
}

static void cut_behind(struct bidi_history *h, int count)
{
	while (h->count > count)
		free(h->urls[--h->count]);
}

static void drop_first(struct bidi_history *h)
{
	free(h->urls[0]);
	memmove(h->urls, h->urls + 1, (size_t)--h->count * sizeof(h->urls[0]));
}

void bidi_remember_address(struct bidi_context *x, bool same_document)
{
	struct bidi_history *h = &x->history;
	const char *url = str_text(&x->url);

	if (x->parent)
		return;
	if (h->step) {
		step_to(h, h->step);
		return;
	}
	if (h->count && !same_document && strcmp(h->urls[h->current], url) == 0) /* loaded again */
		return;
	cut_behind(h, h->count ? h->current + 1 : 0);
	if (h->count == BIDI_HISTORY_COUNT)
		drop_first(h);
	h->urls[h->count] = must(strdup(url));
	h->current = h->count++;
}

void bidi_end_naming(struct bidi_context *x)
{
	if (!x->naming)
		return;
	engine_call_done(&x->naming->call);
	free(x->naming);
	x->naming = NULL;
}

void bidi_remove_context(struct bidi *c, struct bidi_context *x)
{
	TAILQ_REMOVE(x->parent ? &x->parent->children : &c->pages, x, link);
	tdelete(x, &c->contexts_by_id, compare_contexts);
	*context_counter(c, x) -= 1;
	if (x->page && x->page->context == x)
		x->page->context = NULL;
	cut_behind(&x->history, 0);
	bidi_end_naming(x);
	str_done(&x->name);
	str_done(&x->url);
	str_done(&x->repeat.url);
	free(x);
}

const char *bidi_document(const struct bidi_context *x)
{
	return x->document[0] ? x->document : x->id;
}
