/*
 * What documents get: sources that run in them at their start, soon after or before the first call, and functions whose calls are reported
 * (worlds.c).
 */
#include <stdlib.h>
#include <string.h>

#include "engine/bidi/internal.h"
#include "engine/script.h"

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
	bidi_post(s, "script.callFunction", "{functionDeclaration: ?, arguments: [" CHANNEL "], target: ?, awaitPromise: false}",
		  definition.data, e->name, JSON_RAW(w->place));
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
		if (p->time == PRELOAD_FIRST && is_world(p->world, world))
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

static void remember_preload(struct engine_target *s, const char *source, const char *world, enum bidi_preload_time time)
{
	struct bidi_preload *p = NEW(struct bidi_preload);

	*p = (struct bidi_preload){ .world = world ? must(strdup(world)) : NULL, .time = time };
	p->source = time == PRELOAD_FIRST ? NULL : must(strdup(source));
	TAILQ_INSERT_TAIL(&s->preloads, p, link);
}

void engine_add_library(struct engine_target *s, const char *source, const char *world)
{
	if (s)
		remember_preload(s, source, world, PRELOAD_ON_CALL);
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
	remember_preload(s, source, world, PRELOAD_FIRST);
	preload(NULL, s, NULL, source, world);
}

/*
 * Firefox cannot hold a new page until it has been set up: a page that another one opens runs already when it is reported. So the source is set for
 * the user context.
 */
void engine_share_init_script(struct engine_target *s, const char *source)
{
	_cleanup_(str_done) struct str program = {};
	struct bidi_shared *shared;

	if (!s || !s->context)
		return;
	TAILQ_FOREACH(shared, &s->connection->shared, link)
		if (strcmp(shared->user_context, s->context->user_context) == 0 && strcmp(shared->source, source) == 0)
			return;
	shared = NEW(struct bidi_shared);
	*shared = (struct bidi_shared){ .source = must(strdup(source)) };
	engine_id_set(shared->user_context, s->context->user_context);
	TAILQ_INSERT_TAIL(&s->connection->shared, shared, link);
	append_program(&program, source, NULL);
	bidi_post(s, "script.addPreloadScript", "{functionDeclaration: ?, userContexts: [?]}", program.data,
		  *shared->user_context ? shared->user_context : "default");
}

void bidi_forget_shared(struct bidi *c, const char *user_context)
{
	struct bidi_shared *shared, *next;

	for (shared = TAILQ_FIRST(&c->shared); shared; shared = next) {
		next = TAILQ_NEXT(shared, link);
		if (user_context && strcmp(shared->user_context, user_context) != 0)
			continue;
		TAILQ_REMOVE(&c->shared, shared, link);
		free(shared->source);
		free(shared);
	}
}

static void run_in(struct engine_target *s, const struct bidi_world *w, const void *source)
{
	bidi_post(s, "script.evaluate", "{expression: ?, target: ?, awaitPromise: false}", (const char *)source,
		  JSON_RAW(w->place));
}

static void run_in_sandbox_of(struct engine_target *s, const struct bidi_context *x, const char *source, const char *world)
{
	bidi_post(s, "script.evaluate", "{expression: ?, target: {context: ?, sandbox: ?}, awaitPromise: false}", source, x->id,
		  world);
}

/* In documents that there are, a sandbox that does not exist yet is made. */
static void run_in_sandbox(struct engine_target *s, const struct bidi_context *x, const char *source, const char *world)
{
	const struct bidi_context *child;

	run_in_sandbox_of(s, x, source, world);
	TAILQ_FOREACH(child, &x->children, link)
		run_in_sandbox(s, child, source, world);
}

/*
 * A preload script of any kind costs a navigation 20 ms, and most navigations of a tab that is not shown 250, because Firefox then goes on with
 * a document that waits for one when it is idle. So these sources run as soon as a document is reported, which is before the user or an agent can
 * do anything there, and perhaps after its first scripts.
 */
void engine_add_script(struct engine_target *s, const char *source, const char *world)
{
	if (!s || !s->context)
		return;
	remember_preload(s, source, world, PRELOAD_SOON);
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

/* ---- when ---- */

static void define_all(struct engine_target *s, struct bidi_world *w)
{
	const struct bidi_exposed *e;

	TAILQ_FOREACH(e, &s->exposed, link)
		if (!w->is_exposed && is_world(e->world, w->name))
			define_now(s, w, e);
	w->is_exposed = true;
}

static bool has_soon(const struct engine_target *s, const char *world)
{
	const struct bidi_preload *p;

	TAILQ_FOREACH(p, &s->preloads, link)
		if (p->time == PRELOAD_SOON && is_world(p->world, world))
			return true;
	return false;
}

static void on_named(struct engine_call *call, void *context)
{
	struct bidi_context *x = context;

	if (call->result == 0) {
		str_set(&x->name, json_text(bidi_result(call), "result.value"));
		if (x->page)
			REPORT(x->page, frames, named, x->page, x->id, str_text(&x->name));
	}
	bidi_end_naming(x);
}

/*
 * No event says what a frame is called, so each document of one is asked, in a world that the page does not see. Chromium takes the id of its
 * element where it has no name, which a document of another origin cannot see here.
 */
static void ask_for_name(struct engine_target *s, struct bidi_context *x, const struct bidi_world *w, const char *sandbox)
{
	static const char expression[] = "(window.name || window.frameElement?.id || '').slice(0, 1000)";

	if (!x->parent || x->naming)
		return;
	x->naming = NEW(struct bidi_naming);
	*x->naming = (struct bidi_naming){};
	if (bidi_request(s, &x->naming->call, on_named, x, w->id, "script.evaluate",
			 "{expression: ?, target: {context: ?, sandbox: ?}, awaitPromise: false}", expression, x->id, sandbox) < 0)
		bidi_end_naming(x);
}

void bidi_greet_world(struct engine_target *s, struct bidi_world *w)
{
	const char *sandbox = "browserd-state";
	const struct bidi_preload *p;

	if (*w->name && has_soon(s, w->name)) /* which has made it */
		define_all(s, w);
	if (*w->name)
		return;
	TAILQ_FOREACH(p, &s->preloads, link) {
		if (p->time != PRELOAD_SOON)
			continue;
		if (p->world)
			run_in_sandbox_of(s, w->context, p->source, p->world);
		else
			run_in(s, w, p->source);
		sandbox = p->world ? p->world : sandbox;
	}
	ask_for_name(s, w->context, w, sandbox);
}

void bidi_prepare_world(struct engine_target *s, struct bidi_world *w)
{
	const struct bidi_preload *p;
	unsigned libraries = 0;

	if (!w)
		return;
	define_all(s, w);
	TAILQ_FOREACH(p, &s->preloads, link)
		if (p->time == PRELOAD_ON_CALL && is_world(p->world, w->name) && ++libraries > w->prepared) {
			run_in(s, w, p->source);
			w->prepared = libraries;
		}
}
