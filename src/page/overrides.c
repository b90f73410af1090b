#include "page/overrides.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/emulate.h"
#include "engine/script.h"
#include "page/exposed.h"
#include "page/intercept.h"
#include "page/internal.h"
#include "page/options.h"

static void clear(struct page_overrides *o)
{
	str_done(&o->headers);
	for (unsigned i = 0; i < o->scripts_count; i++)
		str_done(&o->scripts[i]);
	free(o->scripts);
	*o = (struct page_overrides){};
}

/* Sends the extra headers: the group's if there are any, else those of the options; and the page's. */
static void send_headers(const struct page *p, struct engine_target *s, const void *none)
{
	_cleanup_(str_done) struct str shared = {};

	if (p->group && p->group->overrides.headers.len)
		str_append(&shared, p->group->overrides.headers.data);
	else if (page_options(p)->headers)
		json_print(&shared, page_options(p)->headers);
	engine_set_headers(s, shared.len ? shared.data : "{}", p->overrides.headers.len ? p->overrides.headers.data : "{}");
}

static void send_geolocation(const struct page *p, struct engine_target *s, const void *none)
{
	const struct page_overrides *all = p->group ? &p->group->overrides : NULL;

	engine_set_geolocation(s, all && all->is_placed ? &all->place : NULL);
}

static void overrides_send_script(const struct page *p, struct engine_target *s, const void *source)
{
	engine_add_init_script(s, source, NULL);
}

static void send_binding(const struct page *p, struct engine_target *s, const void *none)
{
	engine_expose(s, EXPOSED_BINDING, NULL);
}

static void overrides_send_scripts(const struct page *p, struct engine_target *s, const struct page_overrides *o)
{
	for (unsigned i = 0; i < o->scripts_count; i++)
		overrides_send_script(p, s, o->scripts[i].data);
}

static void overrides_prepare(struct page *p, struct engine_target *s, enum target_kind kind)
{
	const struct page_overrides *all = p->group ? &p->group->overrides : NULL;

	if (kind == TARGET_OTHER)
		return;
	if (p->overrides.headers.len || (all && all->headers.len) || page_options(p)->headers)
		send_headers(p, s, NULL);
	if (all && all->is_placed)
		send_geolocation(p, s, NULL);
	if (p->overrides.exposes || (all && all->exposes))
		send_binding(p, s, NULL);
	if (all)
		overrides_send_scripts(p, s, all);
	overrides_send_scripts(p, s, &p->overrides);
}

/* For each target of the page that has documents. */
static void for_targets(const struct page *p, void (*send)(const struct page *p, struct engine_target *s, const void *data),
			const void *data)
{
	struct child_target *child;

	if (p->target)
		send(p, p->target, data);
	TAILQ_FOREACH(child, &p->children, link)
		send(p, child->target, data);
}

/* The browser answers in order: what was sent to the page before has been done when this returns. */
static int await_page(struct task *t, struct page *p)
{
	return page_alive(p) ? page_settle_in(t, p) : 0;
}

/* Ends early when a page closes meanwhile: the others have got the messages, too. */
static int await_group(struct task *t, struct page_group *g)
{
	_cleanup_(page_unrefp) struct page *p = page_ref(page_group_next(g, NULL));
	int r = 0;

	while (p && r == 0) {
		struct page *next;

		r = await_page(t, p);
		next = page_alive(p) ? page_ref(page_group_next(g, p)) : NULL;
		page_unref(p);
		p = next;
	}
	return r;
}

static void set_json(struct str *text, const struct json *value)
{
	str_reset(text);
	if (value)
		json_print(text, value);
}

int page_set_headers(struct task *t, struct page *p, const struct json *headers)
{
	set_json(&p->overrides.headers, headers);
	for_targets(p, send_headers, NULL);
	return await_page(t, p);
}

int page_group_set_headers(struct task *t, struct page_group *g, const struct json *headers)
{
	set_json(&g->overrides.headers, headers);
	for (struct page *p = page_group_next(g, NULL); p; p = page_group_next(g, p))
		for_targets(p, send_headers, NULL);
	return await_group(t, g);
}

int page_group_set_geolocation(struct task *t, struct page_group *g, const struct geolocation *place)
{
	g->overrides.is_placed = place;
	if (place)
		g->overrides.place = *place;
	for (struct page *p = page_group_next(g, NULL); p; p = page_group_next(g, p))
		for_targets(p, send_geolocation, NULL);
	return await_group(t, g);
}

static size_t scripts_size(struct page_group *g)
{
	size_t size = g->overrides.scripts_size;

	for (struct page *p = page_group_next(g, NULL); p; p = page_group_next(g, p))
		size += p->overrides.scripts_size;
	return size;
}

/* The new script, of `g` or a page of it, is the last one; returns its text, NULL when there are too many. */
static const char *add_script(struct page_group *g, struct page_overrides *o, const char *source)
{
	size_t size = strlen(source);

	if (o->scripts_count == LIMIT_INIT_SCRIPTS_COUNT || size > LIMIT_INIT_SCRIPTS - scripts_size(g))
		return NULL;
	o->scripts_size += size;
	if (!o->scripts)
		o->scripts = must(calloc(LIMIT_INIT_SCRIPTS_COUNT, sizeof(*o->scripts)));
	str_append(&o->scripts[o->scripts_count], source);
	return o->scripts[o->scripts_count++].data;
}

static int fail_scripts(struct task *t)
{
	return task_fail(t, -EMFILE, "too many or too long init scripts: there may be %u, and %u MiB in all pages of a context",
			 LIMIT_INIT_SCRIPTS_COUNT, LIMIT_INIT_SCRIPTS >> 20);
}

int page_add_init_script(struct task *t, struct page *p, const char *source)
{
	if (!add_script(p->group, &p->overrides, source))
		return fail_scripts(t);
	for_targets(p, overrides_send_script, source);
	return await_page(t, p);
}

int page_group_add_init_script(struct task *t, struct page_group *g, const char *source)
{
	if (!add_script(g, &g->overrides, source))
		return fail_scripts(t);
	for (struct page *p = page_group_next(g, NULL); p; p = page_group_next(g, p))
		for_targets(p, overrides_send_script, source);
	return await_group(t, g);
}

/* The script that makes the function `name` in documents, kept in `o`; NULL if there is no room. */
static const char *add_exposed(struct page_group *g, struct page_overrides *o, const char *name)
{
	_cleanup_(str_done) struct str script = {};
	const char *source;

	exposed_print_script(&script, name);
	source = add_script(g, o, script.data);
	if (source)
		o->exposes = true;
	return source;
}

static void send_exposed(struct page *p, const char *source)
{
	for_targets(p, send_binding, NULL);
	for_targets(p, overrides_send_script, source);
	exposed_run_script(p, source);
}

int page_expose(struct task *t, struct page *p, const char *name)
{
	const char *source = add_exposed(p->group, &p->overrides, name);

	if (!source)
		return fail_scripts(t);
	send_exposed(p, source);
	return await_page(t, p);
}

int page_group_expose(struct task *t, struct page_group *g, const char *name)
{
	const char *source = add_exposed(g, &g->overrides, name);

	if (!source)
		return fail_scripts(t);
	for (struct page *p = page_group_next(g, NULL); p; p = page_group_next(g, p))
		send_exposed(p, source);
	return await_group(t, g);
}

bool page_has_own_settings(const struct page *p)
{
	const struct route *r;

	if (p->overrides.headers.len || p->overrides.scripts_count)
		return true;
	if (p->group)
		TAILQ_FOREACH(r, &p->group->interception.routes, link)
			if (r->page == p)
				return true;
	return false;
}

static void overrides_done(struct page *p)
{
	clear(&p->overrides);
}

static void overrides_group_done(struct page_group *g)
{
	clear(&g->overrides);
}

const struct page_part overrides_part = {
	.group_done = overrides_group_done,
	.prepare = overrides_prepare,
	.done = overrides_done,
};
