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

struct bidi_context *bidi_add_context(struct bidi *c, const struct json *params, struct bidi_context *parent)
{
	struct bidi_context *x = NEW(struct bidi_context);
	const char *user = json_str(params, "userContext"), *opener = json_str(params, "originalOpener");

	*x = (struct bidi_context){ .parent = parent, .page = parent ? parent->page : NULL };
	engine_id_set(x->id, json_text(params, "context"));
	engine_id_set(x->user_context, engine_id_is_valid(user) ? user : "");
	engine_id_set(x->opener, engine_id_is_valid(opener) ? opener : "");
	str_set(&x->url, json_text(params, "url"));
	TAILQ_INIT(&x->children);
	TAILQ_INIT(&x->worlds);
	TAILQ_INSERT_TAIL(parent ? &parent->children : &c->pages, x, link);
	must(tsearch(x, &c->contexts_by_id, compare_contexts));
	c->context_count++;
	return x;
}

void bidi_remove_context(struct bidi *c, struct bidi_context *x)
{
	TAILQ_REMOVE(x->parent ? &x->parent->children : &c->pages, x, link);
	tdelete(x, &c->contexts_by_id, compare_contexts);
	c->context_count--;
	if (x->page && x->page->context == x)
		x->page->context = NULL;
	str_done(&x->url);
	free(x);
}

const char *bidi_document(const struct bidi_context *x)
{
	return x->document[0] ? x->document : x->id;
}
