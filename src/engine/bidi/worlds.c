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

const char *bidi_realm(const struct engine_target *s, int world)
{
	const struct bidi_world *w = s->connection ? bidi_find_world(s->connection, world) : NULL;

	return w ? w->realm : "";
}

void bidi_print_place(struct str *out, const struct engine_target *s, int world)
{
	str_json(out, "{realm: ?}", bidi_realm(s, world));
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
	engine_id_set(w->realm, realm);
	TAILQ_INSERT_HEAD(&x->worlds, w, link); /* the newest one of a name is found first */
	must(tsearch(w, &c->worlds_by_realm, compare_realms));
	must(tsearch(w, &c->worlds_by_id, compare_worlds));
	c->world_count++;
	if (x->page)
		REPORT(x->page, worlds, created, x->page,
		       &(const struct engine_world){ .id = w->id, .frame = x->id, .name = w->name, .is_page = !*w->name });
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

static void worlds_on_message(struct bidi *c, const struct json *params)
{
	const struct bidi_world *w = find_realm(c, json_str(params, "source.realm"));
	const char *text = json_str(params, "data.value"), *function = json_text(params, "channel");
	struct engine_target *s = w ? w->context->page : NULL;

	if (s && text && may_send(s, function, strlen(text)))
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

/* ---- what documents get ---- */

void bidi_forget_scripts(struct engine_target *s)
{
	struct bidi_exposed *e;
	struct bidi_preload *p;

	while ((e = TAILQ_FIRST(&s->exposed))) {
		TAILQ_REMOVE(&s->exposed, e, link);
		free(e->name);
		free(e->world);
		free(e);
	}
	while ((p = TAILQ_FIRST(&s->preloads))) {
		TAILQ_REMOVE(&s->preloads, p, link);
		free(p->source);
		free(p->world);
		free(p);
	}
}

static bool is_world(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

#define CHANNEL \
	"{type: 'channel', value: {channel: ?, ownership: 'none', serializationOptions: {maxDomDepth: 0, maxObjectDepth: 0}}}"

static void append_definition(struct str *out, const struct bidi_exposed *e)
{
	str_append(out, "tell=>{const name=");
	str_json(out, "?", e->name);
	str_append(out, ";globalThis[name]=globalThis[name]||tell}");
}

static void define_now(struct engine_target *s, const struct bidi_world *w, const struct bidi_exposed *e)
{
	_cleanup_(str_done) struct str definition = {};

	append_definition(&definition, e);
	bidi_post(s, "script.callFunction",
		  "{functionDeclaration: ?, arguments: [" CHANNEL "], target: {realm: ?}, awaitPromise: false}", definition.data,
		  e->name, w->realm);
}

static void define_at_start(struct engine_target *s, const struct bidi_exposed *e)
{
	_cleanup_(str_done) struct str definition = {}, more = {};

	append_definition(&definition, e);
	if (e->world)
		str_json(&more, ", sandbox: ?", e->world);
	bidi_post(s, "script.addPreloadScript", "{functionDeclaration: ?, arguments: [" CHANNEL "], contexts: [?] ?}",
		  definition.data, e->name, s->id, JSON_RAW(str_text(&more)));
}

/* Calls `fn` for each execution context of that name in the context and its frames. */
static void for_each_world(struct bidi_context *x, const char *name, struct engine_target *s,
			   void (*fn)(struct engine_target *s, const struct bidi_world *w, const void *what), const void *what)
{
	struct bidi_context *child;
	struct bidi_world *w;

	TAILQ_FOREACH(w, &x->worlds, link)
		if (is_world(w->name, name))
			fn(s, w, what);
	TAILQ_FOREACH(child, &x->children, link)
		for_each_world(child, name, s, fn, what);
}

static void define_in(struct engine_target *s, const struct bidi_world *w, const void *exposed)
{
	define_now(s, w, exposed);
}

static bool has_preload(const struct engine_target *s, const char *world)
{
	const struct bidi_preload *p;

	TAILQ_FOREACH(p, &s->preloads, link)
		if (!p->is_library && is_world(p->world, world))
			return true;
	return false;
}

/* A sandbox exists only where something has run in it, so its functions are defined before the first call there (bidi_prepare_world()). */
void engine_expose(struct engine_target *s, const char *name, const char *world)
{
	struct bidi_exposed *e;

	if (!s || !s->context)
		return;
	e = NEW(struct bidi_exposed);
	*e = (struct bidi_exposed){ .name = must(strdup(name)), .world = world ? must(strdup(world)) : NULL };
	TAILQ_INSERT_TAIL(&s->exposed, e, link);
	if (!world || has_preload(s, world))
		define_at_start(s, e);
	for_each_world(s->context, world, s, define_in, e);
}

static struct bidi_preload *remember_preload(struct engine_target *s, const char *source, const char *world, bool is_library)
{
	struct bidi_preload *p = NEW(struct bidi_preload);

	*p = (struct bidi_preload){ .world = world ? must(strdup(world)) : NULL, .is_library = is_library };
	p->source = is_library ? must(strdup(source)) : NULL;
	TAILQ_INSERT_TAIL(&s->preloads, p, link);
	return p;
}

void engine_add_library(struct engine_target *s, const char *source, const char *world)
{
	if (s)
		remember_preload(s, source, world, true);
}

/*
 * The function in which a source runs as a program: what it declares at its top belongs to the sandbox. In the page's own world, where a policy
 * may forbid eval, it is the function's body.
 */
static void append_program(struct str *out, const char *source, const char *world)
{
	str_append(out, world ? "()=>{(0,eval)(" : "()=>{");
	if (world)
		str_append_quoted(out, source, strlen(source));
	else
		str_append(out, source);
	str_append(out, world ? ")}" : "\n}");
}

static void preload(struct task *t, struct engine_target *s, struct engine_call *call, const char *source, const char *world)
{
	_cleanup_(str_done) struct str program = {}, more = {};

	append_program(&program, source, world);
	if (world)
		str_json(&more, ", sandbox: ?", world);
	bidi_send_or_post(t, s, call, "script.addPreloadScript", "{functionDeclaration: ?, contexts: [?] ?}", program.data,
			  s ? s->id : "", JSON_RAW(str_text(&more)));
}

/* The first source of a sandbox makes it exist in each document, so it needs its functions there. */
static void expose_at_start(struct engine_target *s, const char *world)
{
	const struct bidi_exposed *e;

	if (!world || has_preload(s, world))
		return;
	TAILQ_FOREACH(e, &s->exposed, link)
		if (is_world(e->world, world))
			define_at_start(s, e);
}

/* An empty source is to make the sandbox, which is made when it is needed. */
void engine_add_init_script(struct engine_target *s, const char *source, const char *world)
{
	if (!s || !*source)
		return;
	expose_at_start(s, world);
	remember_preload(s, source, world, false);
	preload(NULL, s, NULL, source, world);
}

static void run_in(struct engine_target *s, const struct bidi_world *w, const void *source)
{
	bidi_post(s, "script.evaluate", "{expression: ?, target: {realm: ?}, awaitPromise: false}", (const char *)source, w->realm);
}

/* In documents that there are, a sandbox that does not exist yet is made. */
static void run_in_sandbox(struct engine_target *s, const struct bidi_context *x, const char *source, const char *world)
{
	const struct bidi_context *child;

	bidi_post(s, "script.evaluate", "{expression: ?, target: {context: ?, sandbox: ?}, awaitPromise: false}", source, x->id,
		  world);
	TAILQ_FOREACH(child, &x->children, link)
		run_in_sandbox(s, child, source, world);
}

void engine_add_script(struct engine_target *s, const char *source, const char *world)
{
	engine_add_init_script(s, source, world);
	if (!s || !s->context)
		return;
	if (world)
		run_in_sandbox(s, s->context, source, world);
	else
		for_each_world(s->context, NULL, s, run_in, source);
}

void engine_lend_script(struct task *t, struct engine_target *s, struct engine_call *call, const char *source, const char *world)
{
	preload(t, s, call, source, world);
}

void engine_remove_script(struct engine_target *s, const struct engine_call *lent)
{
	const char *id = json_str(bidi_result(lent), "script");

	if (id)
		bidi_post(s, "script.removePreloadScript", "{script: ?}", id);
}

/* ---- before a call ---- */

void bidi_prepare_world(struct engine_target *s, int world)
{
	struct bidi_world *w = s->connection ? bidi_find_world(s->connection, world) : NULL;
	const struct bidi_exposed *e;
	const struct bidi_preload *p;
	unsigned libraries = 0;

	if (!w)
		return;
	TAILQ_FOREACH(e, &s->exposed, link)
		if (!w->is_exposed && is_world(e->world, w->name))
			define_now(s, w, e);
	w->is_exposed = true;
	TAILQ_FOREACH(p, &s->preloads, link)
		if (p->is_library && is_world(p->world, w->name) && ++libraries > w->prepared) {
			run_in(s, w, p->source);
			w->prepared = libraries;
		}
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
