/*
 * Permissions of pages. BiDi sets one permission for one origin in a user context, so what all pages of a context are granted is set for each
 * origin that one of them goes to, when the navigation begins. Firefox handles commands in its main process, which asks for the
 * permission there, too: it is there before the document can ask.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/context.h"

/* The permissions that BiDi can set here, of those that engine_knows_permission() knows. The index is the bit of each in a set. */
static const struct {
	const char *name, *descriptor;
} permission_table[] = {
	{ "geolocation", "{\"name\":\"geolocation\"}" },
	{ "notifications", "{\"name\":\"notifications\"}" },
	{ "midi", "{\"name\":\"midi\"}" },
	{ "midi-sysex", "{\"name\":\"midi\",\"sysex\":true}" },
};

/* What an origin was given. */
struct permitted_origin {
	TAILQ_ENTRY(permitted_origin) link;
	char *origin;
	bool is_own; /* asked for by its name, and not because a page has gone there */
};

/* Of a user context. */
struct bidi_permissions {
	TAILQ_ENTRY(bidi_permissions) link;
	char user_context[ENGINE_ID_SIZE];
	bool for_all; /* all origins have `granted` */
	unsigned granted;
	TAILQ_HEAD(, permitted_origin) origins;
	unsigned count;
};

static const char *permissions_context(const char *context)
{
	return *context ? context : "default";
}

static struct bidi_permissions *find_permissions(struct bidi *c, const char *user_context)
{
	struct bidi_permissions *p;

	TAILQ_FOREACH(p, &c->permissions, link)
		if (strcmp(p->user_context, user_context) == 0)
			return p;
	return NULL;
}

static struct bidi_permissions *make_permissions(struct bidi *c, const char *user_context)
{
	struct bidi_permissions *p = find_permissions(c, user_context);

	if (p)
		return p;
	p = NEW(struct bidi_permissions);
	*p = (struct bidi_permissions){};
	engine_id_set(p->user_context, user_context);
	TAILQ_INIT(&p->origins);
	TAILQ_INSERT_TAIL(&c->permissions, p, link);
	return p;
}

/* ---- origins ---- */

static void forget_permitted(struct bidi_permissions *p, struct permitted_origin *o)
{
	TAILQ_REMOVE(&p->origins, o, link);
	p->count--;
	free(o->origin);
	free(o);
}

static struct permitted_origin *find_permitted(struct bidi_permissions *p, const char *origin)
{
	struct permitted_origin *o;

	TAILQ_FOREACH(o, &p->origins, link)
		if (strcmp(o->origin, origin) == 0)
			return o;
	return NULL;
}

/* Of more than LIMIT_ORIGINS_COUNT the first are forgotten: they keep what they have. */
static struct permitted_origin *make_permitted(struct bidi_permissions *p, const char *origin)
{
	struct permitted_origin *o = find_permitted(p, origin);

	if (o)
		return o;
	if (p->count >= LIMIT_ORIGINS_COUNT)
		forget_permitted(p, TAILQ_FIRST(&p->origins));
	o = NEW(struct permitted_origin);
	*o = (struct permitted_origin){ .origin = must(strdup(origin)) };
	TAILQ_INSERT_TAIL(&p->origins, o, link);
	p->count++;
	return o;
}

/* Sets all permissions of an origin; `granted` NULL: pages ask for them again. `call` (may be NULL) is the last command's. */
static void set_permissions(struct task *t, struct engine_target *root, struct engine_call *call, const struct bidi_permissions *p,
			    const char *origin, const unsigned *granted)
{
	for (size_t i = 0; i < ARRAY_SIZE(permission_table); i++) {
		struct engine_call *last = i + 1 == ARRAY_SIZE(permission_table) ? call : NULL;

		bidi_send_or_post(t, root, last, "permissions.setPermission",
				  "{descriptor: ?, state: ?, origin: ?, userContext: ?}", JSON_RAW(permission_table[i].descriptor),
				  !granted           ? "prompt" :
				  *granted & 1u << i ? "granted" :
						       "denied",
				  origin, p->user_context);
	}
}

/* The scheme, host and port of an address of the web. */
static bool append_origin(struct str *out, const char *url)
{
	const char *authority = strstr(url, "://");

	if (strncmp(url, "http:", strlen("http:")) != 0 && strncmp(url, "https:", strlen("https:")) != 0)
		return false;
	if (!authority)
		return false;
	authority += strlen("://");
	str_append_len(out, url, (size_t)(authority - url) + strcspn(authority, "/?#"));
	return out->len <= LIMIT_ORIGIN;
}

void bidi_permit(struct bidi *c, const struct bidi_context *x, const char *url)
{
	struct bidi_permissions *p = x->parent ? NULL : find_permissions(c, permissions_context(x->user_context));
	_cleanup_(str_done) struct str origin = {};

	if (!p || !p->for_all || !append_origin(&origin, url) || find_permitted(p, origin.data))
		return;
	make_permitted(p, origin.data);
	set_permissions(NULL, c->root, NULL, p, origin.data, &p->granted);
}

/* ---- what is asked for ---- */

/* The set of `names`; the name of one that cannot be granted, or NULL. */
static const char *read_names(const char *const *names, unsigned *ret)
{
	size_t i;

	*ret = 0;
	for (; *names; names++) {
		for (i = 0; i < ARRAY_SIZE(permission_table); i++)
			if (strcmp(permission_table[i].name, *names) == 0)
				break;
		if (i == ARRAY_SIZE(permission_table))
			return *names;
		*ret |= 1u << i;
	}
	return NULL;
}

/* As if the browser had refused it. */
static void refuse_permission(struct task *t, struct engine_call *call, const char *name)
{
	_cleanup_(str_done) struct str text = {};

	if (!call) {
		log_warning("this browser cannot grant pages the permission %s: they do not have it", name);
		return;
	}
	*call = (struct engine_call){ .task = t, .method = "permissions.setPermission", .result = -EREMOTE };
	str_json(&text, "{error: 'unsupported operation', message: ?}",
		 arena_printf(task_arena(t), "this browser cannot grant the permission %s", name));
	if (json_parse(text.data, text.len, 4, JSON_REPLACE_UNREPRESENTABLE, &call->reply) < 0)
		call->reply = NULL;
}

/* A command that changes nothing, whose reply comes. */
static void answer_with_status(struct task *t, struct engine_target *root, struct engine_call *call)
{
	if (call)
		bidi_send(t, root, call, 0, "session.status", "{}");
}

static void grant_to_all(struct bidi *c, struct bidi_permissions *p, unsigned granted)
{
	struct bidi_context *x;
	struct permitted_origin *o;

	p->for_all = true;
	p->granted = granted;
	TAILQ_FOREACH(o, &p->origins, link)
		if (!o->is_own)
			set_permissions(NULL, c->root, NULL, p, o->origin, &granted);
	TAILQ_FOREACH(x, &c->pages, link)
		bidi_permit(c, x, str_text(&x->url));
}

void engine_grant(struct task *t, struct engine_target *root, struct engine_call *call, const char *context,
		  const char *const *permissions, const char *origin)
{
	struct bidi *c = root ? root->connection : NULL;
	struct bidi_permissions *p;
	const char *unknown;
	unsigned granted;

	if (!c) {
		answer_with_status(t, root, call);
		return;
	}
	unknown = read_names(permissions, &granted);
	if (unknown)
		refuse_permission(t, call, unknown);
	if (unknown && call)
		return;
	p = make_permissions(c, permissions_context(context));
	if (origin) {
		make_permitted(p, origin)->is_own = true;
		set_permissions(t, root, call, p, origin, &granted);
	} else {
		grant_to_all(c, p, granted);
		answer_with_status(t, root, call);
	}
}

static void drop_permissions(struct bidi *c, struct bidi_permissions *p)
{
	while (!TAILQ_EMPTY(&p->origins))
		forget_permitted(p, TAILQ_FIRST(&p->origins));
	TAILQ_REMOVE(&c->permissions, p, link);
	free(p);
}

void engine_ungrant(struct task *t, struct engine_target *root, struct engine_call *call, const char *context)
{
	struct bidi *c = root ? root->connection : NULL;
	struct bidi_permissions *p = c ? find_permissions(c, permissions_context(context)) : NULL;
	const struct permitted_origin *o;

	if (p) {
		TAILQ_FOREACH(o, &p->origins, link)
			set_permissions(NULL, root, NULL, p, o->origin, NULL);
		drop_permissions(c, p);
	}
	answer_with_status(t, root, call);
}

void bidi_forget_permissions(struct bidi *c, const char *user_context)
{
	struct bidi_permissions *p;

	while ((p = user_context ? find_permissions(c, user_context) : TAILQ_FIRST(&c->permissions)))
		drop_permissions(c, p);
}
