/*
 * Execution contexts: the realms of documents and of the sandboxes in them. Realms have long names, so this program numbers them. Firefox reports
 * a realm before any reply that names it, and its end with the document; each navigation makes one more for a moment, of the empty document
 * that is replaced.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/script.h"

#define WORLDS_MAX 100000u /* of a browser; the documents of further ones cannot be worked in */

static int compare_realms(const void *a, const void *b)
{
	const struct bidi_world *v = a, *w = b;

	return strcmp(v->realm, w->realm);
}

static int compare_worlds(const void *a, const void *b)
{
	const struct bidi_world *v = a, *w = b;

	return (v->id > w->id) - (v->id < w->id);
}

struct bidi_world *bidi_find_world(const struct bidi *c, int id)
{
	const struct bidi_world wanted = { .id = id };
	struct bidi_world **found = tfind(&wanted, &c->worlds_by_id, compare_worlds);

	return found ? *found : NULL;
}

static struct bidi_world *find_realm(struct bidi *c, const char *realm)
{
	struct bidi_world wanted = {}, **found;

	if (!engine_id_is_valid(realm))
		return NULL;
	engine_id_set(wanted.realm, realm);
	found = tfind(&wanted, &c->worlds_by_realm, compare_realms);
	return found ? *found : NULL;
}

struct bidi_world *bidi_context_world(const struct bidi_context *x, const char *name)
{
	struct bidi_world *w;

	TAILQ_FOREACH(w, &x->worlds, link)
		if (strcmp(w->name, name) == 0)
			return w;
	return NULL;
}

int bidi_document_world(const struct engine_target *s)
{
	const struct bidi_world *w = s && s->context ? bidi_context_world(s->context, "") : NULL;

	return w ? w->id : 0;
}

const char *bidi_script_place(const struct engine_target *s, int world)
{
	const struct bidi_world *w = s && s->connection ? bidi_find_world(s->connection, world) : NULL;

	return w ? w->place : "{\"context\":\"\"}";
}

/* A script that names another sandbox has run where it was sent. */
bool bidi_has_missed(struct bidi *c, int world, const char *realm)
{
	const struct bidi_world *meant = bidi_find_world(c, world), *w = find_realm(c, realm);

	return meant && w && w != meant && strcmp(w->name, meant->name) == 0;
}

static char *print_place(const struct bidi_context *x, const char *sandbox)
{
	_cleanup_(str_done) struct str place = {}, more = {};

	if (*sandbox)
		str_json(&more, ", sandbox: ?", sandbox);
	str_json(&place, "{context: ? ?}", x->id, JSON_RAW(str_text(&more)));
	return must(strdup(place.data));
}

/* ---- they begin and end ---- */

static void on_realm_created(struct bidi *c, const struct json *params)
{
	const char *realm = json_str(params, "realm");
	struct bidi_context *x = bidi_find_context(c, json_str(params, "context"));
	struct bidi_world *w;

	if (!x || !engine_id_is_valid(realm) || find_realm(c, realm) || strcmp(json_text(params, "type"), "window") != 0)
		return;
	if (c->world_count >= WORLDS_MAX) {
		log_warning("there are %u execution contexts in the browser: no further one is used", c->world_count);
		return;
	}
	w = NEW(struct bidi_world);
	c->last_world = c->last_world == INT32_MAX ? 1 : c->last_world + 1;
	*w = (struct bidi_world){ .id = c->last_world, .name = must(strdup(json_text(params, "sandbox"))), .context = x };
	w->place = print_place(x, w->name);
	engine_id_set(w->realm, realm);
	TAILQ_INSERT_HEAD(&x->worlds, w, link); /* the newest one of a name is found first */
	must(tsearch(w, &c->worlds_by_realm, compare_realms));
	must(tsearch(w, &c->worlds_by_id, compare_worlds));
	c->world_count++;
	if (x->page)
		REPORT(x->page, worlds, created, x->page,
		       &(const struct engine_world){ .id = w->id, .frame = x->id, .name = w->name, .is_page = !*w->name });
	if (x->page)
		bidi_greet_world(x->page, w);
}

static void end_world(struct bidi *c, struct bidi_world *w)
{
	struct engine_target *s = w->context->page;
	int id = w->id;

	TAILQ_REMOVE(&w->context->worlds, w, link);
	tdelete(w, &c->worlds_by_realm, compare_realms);
	tdelete(w, &c->worlds_by_id, compare_worlds);
	c->world_count--;
	free(w->name);
	free(w->place);
	free(w);
	if (!s)
		return;
	REPORT(s, worlds, destroyed, s, id);
	bidi_fail_calls(s, id, -EREMOTE);
}

void bidi_end_worlds(struct bidi *c, struct bidi_context *x)
{
	struct bidi_world *w;

	while ((w = TAILQ_FIRST(&x->worlds)))
		end_world(c, w);
}

/* ---- messages of scripts ---- */

/* Whether the owner of `s` takes a message of that length from this function. */
static bool may_send(const struct engine_target *s, const char *function, size_t len)
{
	if (len <= LIMIT_OBSERVED_MESSAGE ||
	    (HEARS(s, worlds, may_be_long) && s->hears->worlds->may_be_long(function, strlen(function), s->data)))
		return true;
	log_warning("dropped a message of %zu bytes from a script", len);
	return false;
}

/* A drag has begun: drags.c. */
static void on_drag(const struct bidi_world *w, struct engine_target *s, const char *data)
{
	_cleanup_(str_done) struct str what = {};

	str_json(&what, "{data: ?, from: ?}", JSON_RAW(data), w->context->id);
	REPORT(s, drags, started, s, what.data);
}

static void worlds_on_message(struct bidi *c, const struct json *params)
{
	const struct bidi_world *w = find_realm(c, json_str(params, "source.realm"));
	const char *text = json_str(params, "data.value"), *function = json_text(params, "channel");
	struct engine_target *s = w ? w->context->page : NULL;

	if (!s || !text || !may_send(s, function, strlen(text)))
		return;
	if (strcmp(function, BIDI_DRAG_CHANNEL) == 0)
		on_drag(w, s, text);
	else
		REPORT(s, worlds, message, s, &(const struct engine_message){ w->id, function, text });
}

void bidi_on_script_event(struct bidi *c, const char *name, const struct json *params)
{
	struct bidi_world *w;

	if (strcmp(name, "realmCreated") == 0)
		on_realm_created(c, params);
	else if (strcmp(name, "message") == 0)
		worlds_on_message(c, params);
	else if (strcmp(name, "realmDestroyed") == 0 && (w = find_realm(c, json_str(params, "realm"))))
		end_world(c, w);
}

int engine_make_world(struct task *t, const struct engine_frame *at, const char *name, int *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	struct engine_target *s = at->target;
	const struct bidi_world *w;
	int r;

	*ret = 0;
	r = bidi_call(t, s, &reply, at->page_world, "script.evaluate",
		      "{expression: '0', target: {context: ?, sandbox: ?}, awaitPromise: false}", at->id, name);
	if (r < 0)
		return r;
	w = at->target && at->target->connection ? find_realm(at->target->connection, json_str(reply, "result.realm")) : NULL;
	if (!w)
		return task_fail(t, -EREMOTE, "the document has gone");
	*ret = w->id;
	return 0;
}
