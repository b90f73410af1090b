#include "browser/storage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/names.h"
#include "browser/cookies.h"
#include "browser/internal.h"
#include "engine/script.h"
#include "page/frame.h"
#include "page/navigate.h"
#include "page/origins.h"
#include "scripts/scripts.h"

#define OPEN_TIMEOUT (10 * USEC_PER_SEC)
#define ASK_ALL_TIME (3 * USEC_PER_SEC) /* for documents that may not answer, all together */

const char *storage_check(const struct json *state)
{
	const struct json *cookies = json_member(state, "cookies"), *origins = json_member(state, "origins");

	if (json_type(state) != JSON_OBJECT || (cookies && json_type(cookies) != JSON_ARRAY) ||
	    (origins && json_type(origins) != JSON_ARRAY))
		return "it is not {\"cookies\": [...], \"origins\": [...]}";
	json_foreach(cookie, cookies)
		if (!json_str(cookie, "name") || !json_str(cookie, "value"))
			return "a cookie has no name or no value";
	json_foreach(origin, origins)
		if (!json_str(origin, "origin"))
			return "an entry of origins has no origin";
	return NULL;
}

/* ---- the same in the words of Playwright ---- */

struct member {
	const char *name;
	enum json_type type;
	const char *type_name;
	bool required;
};

static const struct member cookie_members[] = {
	{ "name", JSON_STRING, "string", true }, { "value", JSON_STRING, "string", true },
	{ "domain", JSON_STRING, "string" },     { "path", JSON_STRING, "string" },
	{ "url", JSON_STRING, "string" },        { "expires", JSON_NUMBER, "float" },
	{ "httpOnly", JSON_BOOL, "boolean" },    { "secure", JSON_BOOL, "boolean" },
	{ "sameSite", JSON_STRING, "string" },   {},
};
static const struct member origin_members[] = {
	{ "origin", JSON_STRING, "string", true },
	{ "localStorage", JSON_ARRAY, "array", true },
	{ "indexedDB", JSON_ARRAY, "array" },
	{},
};
static const struct member item_members[] = {
	{ "name", JSON_STRING, "string", true },
	{ "value", JSON_STRING, "string", true },
	{},
};

static const char *type_word(const struct json *v)
{
	static const char *const words[] = {
		[JSON_NONE] = "undefined", [JSON_NULL] = "object",  [JSON_BOOL] = "boolean",  [JSON_NUMBER] = "number",
		[JSON_STRING] = "string",  [JSON_ARRAY] = "object", [JSON_OBJECT] = "object",
	};

	return words[json_type(v)];
}

/* The first member that is not as it must be, {}: the value is no object; NULL: all are. */
static const struct member *wrong_member(const struct json *v, const struct member *m)
{
	static const struct member none;

	if (json_type(v) != JSON_OBJECT)
		return &none;
	for (; m->name; m++) {
		const struct json *member = json_member(v, m->name);

		if ((member || m->required) && json_type(member) != m->type)
			return m;
	}
	return NULL;
}

static int check_members(struct task *t, const char *place, const struct json *v, const struct member *m)
{
	const struct member *wrong = wrong_member(v, m);

	if (!wrong)
		return 0;
	if (!wrong->name)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "%s: expected object, got %s", place, type_word(v));
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%s.%s: expected %s, got %s", place, wrong->name, wrong->type_name,
			 type_word(json_member(v, wrong->name)));
}

static int check_list(struct task *t, const char *place, const struct json *list, const struct member *m)
{
	unsigned index = 0;

	json_foreach(v, list) {
		if (wrong_member(v, m))
			return check_members(t, arena_printf(task_arena(t), "%s[%u]", place, index), v, m);
		index++;
	}
	return 0;
}

static int check_same_site(struct task *t, const struct json *cookies)
{
	unsigned index = 0;

	json_foreach(cookie, cookies) {
		const char *same_site = json_str(cookie, "sameSite");

		if (same_site && strcmp(same_site, "Strict") != 0 && strcmp(same_site, "Lax") != 0 &&
		    strcmp(same_site, "None") != 0)
			return task_fail(t, -ERR_INVALID_PARAMETERS,
					 "storageState.cookies[%u].sameSite: expected one of (Strict|Lax|None)", index);
		index++;
	}
	return 0;
}

int storage_check_all(struct task *t, const struct json *state)
{
	static const struct member members[] = { { "cookies", JSON_ARRAY, "array" }, { "origins", JSON_ARRAY, "array" }, {} };
	unsigned index = 0;
	int r = 0;

	if (json_type(state) == JSON_ARRAY) /* an object without members, as JavaScript sees it */
		return 0;
	if (json_type(state) == JSON_NULL)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "storageState: expected object, got null");
	r = check_members(t, "storageState", state, members);
	if (r == 0)
		r = check_list(t, "storageState.cookies", json_member(state, "cookies"), cookie_members);
	if (r == 0)
		r = check_same_site(t, json_member(state, "cookies"));
	if (r == 0)
		r = check_list(t, "storageState.origins", json_member(state, "origins"), origin_members);
	json_foreach(origin, json_member(state, "origins"))
		if (r == 0)
			r = check_list(t, arena_printf(task_arena(t), "storageState.origins[%u].localStorage", index++),
				       json_member(origin, "localStorage"), item_members);
	return r;
}

/* ---- documents of an origin ---- */

/* A page of its own whose requests are answered here, so that no server is contacted; opened when it is needed first. */
struct workshop {
	_kept_ struct context *context;
	_kept_ struct page *page; /* NULL: none yet */
};

static void workshop_done(struct workshop *w)
{
	if (w->page)
		page_close(w->page);
	page_unref(w->page);
}

/* Shows an empty document of that origin. */
static int show_origin(struct task *t, struct workshop *w, const char *origin)
{
	struct navigation nav;
	int r = 0;

	if (!url_is_web(origin))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "\"%.200s\" is not an origin that has storage", origin);
	if (!w->page)
		r = context_open_page(t, w->context, &w->page);
	if (r < 0)
		return r;
	page_answer_blank(w->page, true);
	return page_navigate(t, w->page, origin, WAIT_DOMCONTENTLOADED, OPEN_TIMEOUT, &nav);
}

/* Calls a function of scripts/functions in that document. `ret` (may be NULL) gets the value. */
static int call_there(struct task *t, struct workshop *w, const char *function, const struct json *argument, struct json **ret)
{
	_cleanup_(str_done) struct str expression = {}, text = {};
	_cleanup_(json_freep) struct json *value = NULL;
	struct script_outcome outcome;
	int r;

	json_print(&text, argument);
	str_append(&expression, function);
	str_append_char(&expression, '(');
	str_append(&expression, argument ? text.data : ""); /* may have megabytes: not formatted, which is slow */
	str_append_char(&expression, ')');
	r = engine_compute(t, page_target(w->page), expression.data, 0, &outcome);
	value = outcome.value;
	if (r == 0 && outcome.end == SCRIPT_THREW)
		return task_fail(t, -ERR_BROWSER_ERROR, "%s", outcome.thrown);
	if (r == 0 && ret)
		*ret = TAKE_PTR(value);
	return r;
}

/* The next frame of an open page with a document of the web, and of that origin unless it is NULL. Borrowed. */
static struct frame *next_frame(struct context *c, const char *origin, unsigned *position)
{
	unsigned at = 0;
	struct page *p;
	struct frame *f;

	for (p = context_next_page(c, NULL); p; p = context_next_page(c, p))
		for (f = page_next_frame(p, NULL); f; f = page_next_frame(p, f)) {
			if (at++ < *position || !url_is_web(frame_url(f)) || (origin && !url_has_origin(frame_url(f), origin)))
				continue;
			*position = at;
			return f;
		}
	return NULL;
}

/* ---- collecting ---- */

/* An origin with what it has stored. */
struct stored {
	const char *origin;
	struct json *reply;   /* holds the next one */
	struct str databases; /* JSON; empty: they were not read */
};

struct collected {
	struct stored *items; /* room for LIMIT_ORIGINS_COUNT in the task's arena */
	size_t count;
	size_t databases; /* bytes of all of them */
};

static void collected_done(struct collected *c)
{
	for (size_t i = 0; i < c->count; i++) {
		json_free(c->items[i].reply);
		str_done(&c->items[i].databases);
	}
}

static struct stored *add_origin(struct task *t, struct collected *all, const char *origin, struct json *items)
{
	struct stored *s;

	if (all->count == LIMIT_ORIGINS_COUNT) {
		json_free(items);
		return NULL;
	}
	s = &all->items[all->count++];
	*s = (struct stored){ .origin = arena_strdup(task_arena(t), origin), .reply = items };
	return s;
}

/*
 * The origins of the documents that are open, the contents of their storage being up to date there; `seen` gets them. `patient`: a
 * document that a script or a dialog keeps busy is waited for; without it, it is passed over, as are others after ASK_ALL_TIME.
 */
static int collect_open(struct task *t, struct context *c, bool patient, struct visited_origins *seen, struct collected *all)
{
	usec_t until = patient ? USEC_NEVER : clock_now() + ASK_ALL_TIME;
	unsigned position = 0, before;
	int r = 0;

	while (r == 0) {
		_cleanup_(frame_unrefp) struct frame *f = frame_ref(next_frame(c, NULL, &position));
		_cleanup_(str_done) struct str origin = {}, call = {};
		_cleanup_(json_freep) struct json *items = NULL;

		if (!f)
			break;
		url_origin(&origin, frame_url(f));
		str_appendf(&call, "%s()", read_storage_script);
		r = patient ? frame_probe(t, f, &items, call.data) : frame_probe_briefly(t, f, until, &items, call.data);
		before = seen->count;
		if (r == 0 && json_type(items) == JSON_ARRAY)
			origins_visit(seen, origin.data);
		if (seen->count > before)
			add_origin(t, all, origin.data, TAKE_PTR(items));
		r = r == -ECANCELED || r == -ETIMEDOUT ? r : 0;
	}
	return r;
}

/* A copy: the list grows while the documents are shown. */
static const char **visited(struct task *t, struct context *c)
{
	struct visited_origins *all = &context_pages(c)->origins;
	const char **list = arena_alloc(task_arena(t), (all->count + 1) * sizeof(*list));
	struct visited_origin *o;
	size_t count = 0;

	TAILQ_FOREACH(o, &all->list, link)
		list[count++] = arena_strdup(task_arena(t), o->origin);
	list[count] = NULL;
	return list;
}

/* Appends an entry to `left_out` if not all databases could be read. */
static int collect_databases(struct task *t, struct workshop *w, struct collected *all, struct stored *s, struct str *left_out)
{
	_cleanup_(json_freep) struct json *room = NULL, *reply = NULL;
	const char *text, *databases, *missing;
	size_t len = 0, missing_len = 0;
	char digits[16];
	int r;

	snprintf(digits, sizeof(digits), "%zu", LIMIT_STATE_DATABASES - MIN(all->databases, (size_t)LIMIT_STATE_DATABASES));
	json_parse(digits, strlen(digits), 1, JSON_REFUSE_UNREPRESENTABLE, &room);
	r = call_there(t, w, read_databases_script, room, &reply);
	if (r < 0)
		return r;
	text = json_text(reply, NULL);
	databases = json_raw(text, strlen(text), "databases", &len);
	missing = json_raw(text, strlen(text), "missing", &missing_len);
	if (databases && len > 2)
		str_append_len(&s->databases, databases, len);
	all->databases += s->databases.len;
	if (missing_len > 2)
		str_json(left_out, "?{origin: ?, databases: ?}", JSON_COMMA(left_out->len), s->origin,
			 JSON_RAW(arena_strndup(task_arena(t), missing, missing_len)));
	return 0;
}

/* The origins that were visited and are not open. */
static int collect_others(struct task *t, struct workshop *w, const struct visited_origins *seen, struct collected *all,
			  struct str *left_out)
{
	int r = 0;

	for (const char **origin = visited(t, w->context); *origin && r == 0; origin++) {
		struct json *items = NULL;
		struct stored *s = NULL;

		if (origins_have(seen, *origin))
			continue;
		r = show_origin(t, w, *origin);
		if (r == 0)
			r = call_there(t, w, read_storage_script, NULL, &items);
		if (r == 0)
			s = add_origin(t, all, *origin, items);
		if (s && left_out)
			r = collect_databases(t, w, all, s, left_out);
	}
	return r;
}

/* Whether the origin has databases, which its open document knows without another page being opened. In doubt it has. */
static int has_databases(struct task *t, struct context *c, const char *origin, bool *ret)
{
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	_cleanup_(json_freep) struct json *count = NULL;
	unsigned position = 0;
	int r = 0;

	f = frame_ref(next_frame(c, origin, &position));
	if (f)
		r = frame_probe_promise(t, f, &count, "indexedDB.databases().then(all => all.length)");
	*ret = json_num(count, NULL, 1) != 0;
	if (r < 0 && r != -ECANCELED)
		task_forget_failure(t);
	return r == -ECANCELED ? r : 0;
}

/* The databases of the first `open` origins, whose documents are open: another document of an origin has the same ones. */
static int collect_open_databases(struct task *t, struct workshop *w, struct collected *all, size_t open, struct str *left_out)
{
	int r = 0;

	for (size_t i = 0; i < open && r == 0; i++) {
		bool any;

		r = has_databases(t, w->context, all->items[i].origin, &any);
		if (r < 0 || !any)
			continue;
		r = show_origin(t, w, all->items[i].origin);
		if (r == 0)
			r = collect_databases(t, w, all, &all->items[i], left_out);
	}
	return r;
}

static int collect_origins(struct task *t, struct context *c, struct collected *all, struct str *left_out)
{
	_cleanup_(workshop_done) struct workshop w = { .context = c };
	_cleanup_(origins_done) struct visited_origins seen;
	size_t open;
	int r;

	origins_init(&seen);
	r = collect_open(t, c, !left_out, &seen, all);
	open = all->count;
	if (r == 0)
		r = collect_others(t, &w, &seen, all, left_out);
	if (r == 0 && left_out)
		r = collect_open_databases(t, &w, all, open, left_out);
	return r;
}

/* Origins without contents are left out. */
static void print_origins(struct str *out, const struct collected *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct stored *s = &all->items[i];
		bool items = json_type(s->reply) == JSON_ARRAY && json_count(s->reply);

		if (!items && !s->databases.len)
			continue;
		str_json(out, "?{origin: ?, localStorage: ", JSON_COMMA(out->len), s->origin);
		if (items)
			json_print(out, s->reply);
		else
			str_append(out, "[]");
		if (s->databases.len)
			str_append(out, ",\"indexedDB\":");
		str_append_len(out, str_text(&s->databases), s->databases.len);
		str_append_char(out, '}');
	}
}

/* `origins`: JSON objects with commas between them. */
static void print_state(struct str *out, const struct cookies *cookies, const char *origins)
{
	_cleanup_(str_done) struct str list = {};

	cookies_print(&list, cookies);
	str_json(out, "{cookies: ?, origins: [?]}", JSON_RAW(str_text(&list)), JSON_RAW(origins));
}

static int collect(struct task *t, struct context *c, struct str *out, struct str *left_out)
{
	_cleanup_(collected_done) struct collected all = {
		.items = arena_alloc(task_arena(t), LIMIT_ORIGINS_COUNT * sizeof(*all.items)),
	};
	_cleanup_(cookies_done) struct cookies cookies = {};
	_cleanup_(str_done) struct str origins = {};
	int r;

	r = context_cookies(t, c, NULL, &cookies);
	if (r == 0)
		r = collect_origins(t, c, &all, left_out);
	if (r < 0)
		return r;
	print_origins(&origins, &all);
	print_state(out, &cookies, str_text(&origins));
	return 0;
}

int storage_collect(struct task *t, struct context *c, struct str *out)
{
	return collect(t, c, out, NULL);
}

int storage_collect_cookies(struct task *t, struct context *c, struct str *out)
{
	_cleanup_(cookies_done) struct cookies cookies = {};
	int r;

	r = context_cookies(t, c, NULL, &cookies);
	if (r == 0)
		print_state(out, &cookies, "");
	return r;
}

int storage_collect_all(struct task *t, struct context *c, struct str *out, struct str *left_out)
{
	return collect(t, c, out, left_out);
}

/* ---- restoring ---- */

static int fill_origin(struct task *t, struct workshop *w, const char *origin, const struct json *items,
		       const struct json *databases)
{
	int r;

	r = show_origin(t, w, origin);
	if (r == 0 && items)
		r = call_there(t, w, fill_storage_script, items, NULL);
	if (r == 0 && databases)
		r = call_there(t, w, fill_databases_script, databases, NULL);
	return r;
}

int storage_restore(struct task *t, struct context *c, const struct json *state)
{
	_cleanup_(workshop_done) struct workshop w = { .context = c };
	int r;

	r = context_refuse_lent(t, c, "storage states");
	if (r == 0)
		r = context_set_cookies(t, c, json_member(state, "cookies"));
	json_foreach(origin, json_member(state, "origins"))
		if (r == 0)
			r = fill_origin(t, &w, json_str(origin, "origin"), json_member(origin, "localStorage"),
					json_member(origin, "indexedDB"));
	return r;
}

/*
 * Documents that are open have their own copy of their local storage, to which changes made elsewhere come a little later. The
 * same is done there, so that they see it at once.
 */
static int fill_open(struct task *t, struct context *c, const char *origin, const struct json *items)
{
	_cleanup_(str_done) struct str call = {};
	unsigned position = 0;
	int r = 0;

	str_append(&call, fill_storage_script);
	str_append(&call, "(");
	json_print(&call, items);
	str_append(&call, ")");
	while (r == 0) {
		_cleanup_(frame_unrefp) struct frame *f = frame_ref(next_frame(c, origin, &position));

		if (!f)
			break;
		r = frame_probe(t, f, NULL, call.data);
		r = r == -ECANCELED || r == -ETIMEDOUT ? r : 0;
	}
	return r;
}

static int replace_origin(struct task *t, struct workshop *w, const char *origin, const struct json *entry)
{
	_cleanup_(json_freep) struct json *none = NULL;
	const struct json *items = json_member(entry, "localStorage"), *databases = json_member(entry, "indexedDB");
	int r;

	json_parse("[]", 2, 1, JSON_REFUSE_UNREPRESENTABLE, &none);
	r = fill_origin(t, w, origin, items ? items : none, databases ? databases : none);
	return r < 0 ? r : fill_open(t, w->context, origin, items ? items : none);
}

static struct names origins_of(const struct json *origins)
{
	struct names names = { .compare = strcmp };

	json_foreach(entry, origins)
		names_add(&names, json_text(entry, "origin"));
	names_sort(&names);
	return names;
}

int storage_replace(struct task *t, struct context *c, const struct json *state)
{
	_cleanup_(workshop_done) struct workshop w = { .context = c };
	const struct json *origins = json_member(state, "origins");
	_cleanup_(names_done) struct names given = origins_of(origins);
	const char **others = visited(t, c);
	int r;

	r = context_clear_cookies(t, c);
	if (r == 0)
		r = context_set_cookies(t, c, json_member(state, "cookies"));
	for (; *others && r == 0; others++)
		if (!names_have(&given, *others))
			r = replace_origin(t, &w, *others, NULL);
	json_foreach(entry, origins)
		if (r == 0)
			r = replace_origin(t, &w, json_text(entry, "origin"), entry);
	return r;
}
