/* Browsing contexts, as their events describe them: pages, their frames, and the documents that these show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/browser.h"

/* ---- they begin and end ---- */

/* Of a context without children. */
static void end_context(struct bidi *c, struct bidi_context *x)
{
	bidi_end_worlds(c, x);
	bidi_forget_traffic(c, x);
	bidi_remove_context(c, x);
}

void bidi_forget_contexts(struct bidi *c)
{
	struct bidi_context *x;

	while ((x = TAILQ_FIRST(&c->pages))) {
		struct bidi_context *child;

		while ((child = TAILQ_FIRST(&x->children))) /* the innermost first */
			x = child;
		end_context(c, x);
	}
}

static void contexts_on_created(struct bidi *c, const struct json *params)
{
	const char *id = json_str(params, "context"), *in = json_str(params, "parent");
	struct bidi_context *parent = in ? bidi_find_context(c, in) : NULL, *x;

	if (!engine_id_is_valid(id) || bidi_find_context(c, id) || (in && !parent))
		return;
	/* Frames are counted for each page, so that none takes the room of the pages of others. */
	if (parent && parent->top->frame_count >= LIMIT_FRAMES_COUNT)
		return;
	if (!parent && c->page_count >= LIMIT_CDP_SESSIONS_COUNT) {
		log_warning("there are %u pages in the browser: no further one is used", c->page_count);
		return;
	}
	x = bidi_add_context(c, params, parent);
	if (!parent)
		bidi_report_page(c, x);
	else if (x->page)
		REPORT(x->page, frames, attached, x->page, x->id, parent->id);
}

/* The context and its frames, these first. */
static void end_frames(struct bidi *c, struct bidi_context *x)
{
	struct bidi_context *child;

	while ((child = TAILQ_FIRST(&x->children)))
		end_frames(c, child);
	if (x->parent && x->page)
		REPORT(x->page, frames, removed, x->page, x->id);
	end_context(c, x);
}

static void contexts_on_destroyed(struct bidi *c, struct bidi_context *x)
{
	const struct engine_browser_events *e = c->root->browser_events;
	struct engine_target *page = x->parent ? NULL : x->page;
	char id[ENGINE_ID_SIZE];

	engine_id_set(id, x->id);
	end_frames(c, x);
	if (page) {
		bidi_drop_turns(page);
		bidi_forget_front(page, -ESTALE);
		bidi_fail_calls(page, 0, -ESTALE);
	}
	if (page && e && e->detached)
		e->detached(id, e->data);
}

/* ---- two loads of one address (struct bidi_repeat) ---- */

const char *bidi_navigation_of(const struct bidi_context *x, const struct json *params)
{
	const char *id = json_text(params, "navigation");

	if (!engine_id_is_valid(id))
		return "";
	return strcmp(id, x->repeat.third) == 0 ? x->repeat.third_means : id;
}

static void repeat_reset(struct bidi_repeat *p)
{
	str_reset(&p->url);
	p->given_up[0] = p->borrowed[0] = '\0';
}

/* Whether the navigation is another one to the address whose load was given up. Only these addresses have responses. */
static bool repeats_load(const struct bidi_context *x, const char *navigation, const struct json *params)
{
	const char *url = json_text(params, "url");

	return starts_with(url, "http") && strcmp(url, str_text(&x->repeat.url)) == 0 &&
	       strcmp(navigation, x->repeat.given_up) != 0;
}

/* A document that is shown before its own response has come is that of the load before. */
static const char *committed_navigation(struct bidi_context *x, const struct json *params)
{
	const char *navigation = bidi_navigation_of(x, params);

	if (!repeats_load(x, navigation, params) || strcmp(x->arriving, navigation) == 0) {
		repeat_reset(&x->repeat);
		return navigation;
	}
	engine_id_set(x->repeat.borrowed, navigation);
	return x->repeat.given_up;
}

/* A document may be shown before it is given up: only what it reports later has the id of the second navigation. */
static void note_borrowed(struct bidi_context *x, const struct json *params)
{
	const char *navigation = bidi_navigation_of(x, params);

	if (repeats_load(x, navigation, params) && strcmp(x->document, x->repeat.given_up) == 0)
		engine_id_set(x->repeat.borrowed, navigation);
}

static const char *started_navigation(struct bidi_context *x, const struct json *params)
{
	struct bidi_repeat *p = &x->repeat;
	const char *navigation = bidi_navigation_of(x, params);

	if (!p->borrowed[0] || strcmp(navigation, p->borrowed) == 0 || !repeats_load(x, navigation, params))
		return navigation;
	engine_id_set(p->third, navigation);
	engine_id_set(p->third_means, p->borrowed);
	repeat_reset(p);
	return p->third_means;
}

/* The document of a navigation without a response is not shown. */
static void note_given_up(struct bidi_context *x, const struct json *params)
{
	const char *navigation = bidi_navigation_of(x, params);

	repeat_reset(&x->repeat);
	if (strcmp(navigation, x->arriving) != 0 && strcmp(navigation, x->document) != 0)
		return;
	engine_id_set(x->repeat.given_up, navigation);
	str_append(&x->repeat.url, json_text(params, "url"));
}

/* ---- documents ---- */

static void set_address(struct bidi_context *x, const struct json *params)
{
	str_set(&x->url, json_text(params, "url"));
}

/* The address without its fragment, and where that begins. */
static const char *split_address(const struct bidi_context *x, struct str *ret_url)
{
	const char *url = str_text(&x->url), *fragment = strchr(url, '#');

	str_append_len(ret_url, url, fragment ? (size_t)(fragment - url) : strlen(url));
	return fragment ? fragment : "";
}

static bool is_error_page(const char *url)
{
	return starts_with(url, "about:neterror?") || starts_with(url, "about:certerror?") ||
	       starts_with(url, "about:httpsonlyerror?");
}

/* The address of an error page has that of what it stands for as a parameter. */
static void append_failed(struct str *out, const char *url)
{
	const char *from = is_error_page(url) ? strstr(url, "&u=") : NULL;

	if (from)
		str_append_percent_decoded(out, from + strlen("&u="), strcspn(from + strlen("&u="), "&"));
}

/* A page shows about:blank without having been asked for it when the process of its document has ended. */
static bool has_crashed(const struct bidi_context *x, const struct json *params)
{
	return !x->parent && !x->navigates && strcmp(json_text(params, "url"), "about:blank") == 0 && x->document[0];
}

static void on_committed(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	const char *navigation = committed_navigation(x, params);
	_cleanup_(str_done) struct str url = {}, failed = {};
	bool crashed = has_crashed(x, params);
	const char *fragment;

	set_address(x, params);
	append_failed(&failed, str_text(&x->url));
	if (failed.len) /* which the page and the browser's own answers have, too */
		str_set(&x->url, failed.data);
	if (*navigation)
		engine_id_set(x->document, navigation);
	x->navigates = false;
	x->commits++;
	if (!crashed)
		bidi_remember_address(x, false);
	x->arriving[0] = '\0';
	if (!s)
		return;
	bidi_begin_document(s->connection, x);
	if (crashed) {
		REPORT(s, targets, crashed, s);
		return;
	}
	fragment = split_address(x, &url);
	REPORT(s, frames, navigated, s,
	       &(const struct engine_document){
		       .frame = x->id,
		       .parent = x->parent ? x->parent->id : NULL,
		       .id = bidi_document(x),
		       .fragment = fragment,
		       .url = str_text(&url),
		       .name = str_text(&x->name),
		       .failed = str_text(&failed),
	       });
	REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_COMMIT);
}

static void on_navigation_started(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	const char *navigation = started_navigation(x, params);

	x->navigates = true;
	engine_id_set(x->starting, navigation);
	if (!x->asked[0])
		engine_id_set(x->asked, navigation);
	if (s)
		REPORT(s, navigations, started, s, x->id, navigation, false);
}

static void on_navigation_ended(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	x->navigates = false;
	note_given_up(x, params);
	if (s)
		REPORT(s, navigations, stopped, s, x->id);
}

void bidi_report_moved(struct bidi_context *x, const char *url)
{
	struct engine_target *s = x->page;

	str_set(&x->url, url);
	bidi_remember_address(x, true);
	if (!s)
		return;
	REPORT(s, navigations, started, s, x->id, bidi_document(x), true);
	REPORT(s, frames, moved, s, x->id, str_text(&x->url));
}

static void contexts_on_moved(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	bidi_report_moved(x, json_text(params, "url"));
}

/* A navigation by engine_navigate() that changes the fragment only has no document of its own. */
static void on_fragment_navigated(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	contexts_on_moved(x, s, params);
	if (s && !x->parent)
		bidi_end_navigation(s, "{\"result\": {}}");
}

static void report_loaded(struct bidi_context *x, struct engine_target *s)
{
	struct bidi *c = s->connection;

	REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_LOAD);
	REPORT(s, navigations, stopped, s, x->id);
	bidi_end_loading(c, x);
}

/* An error page has nothing to load, and Firefox does not report that it has. */
static void on_content_loaded(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	note_borrowed(x, params);
	if (!s)
		return;
	REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_DOMCONTENTLOADED);
	if (is_error_page(json_text(params, "url")))
		report_loaded(x, s);
}

static void on_load(struct bidi_context *x, struct engine_target *s, const struct json *params)
{
	note_borrowed(x, params);
	if (!s)
		return;
	report_loaded(x, s);
}

static const struct {
	const char *name;
	void (*fn)(struct bidi_context *x, struct engine_target *s, const struct json *params); /* `s`: of its page; NULL: none */
} context_event_table[] = {
	{ "navigationStarted", on_navigation_started },
	{ "navigationCommitted", on_committed },
	{ "navigationFailed", on_navigation_ended },
	{ "fragmentNavigated", on_fragment_navigated },
	{ "historyUpdated", contexts_on_moved },
	{ "domContentLoaded", on_content_loaded },
	{ "load", on_load },
};

void bidi_on_context_event(struct bidi *c, const char *name, const struct json *params)
{
	struct bidi_context *x;

	if (strcmp(name, "contextCreated") == 0) {
		contexts_on_created(c, params);
		return;
	}
	x = bidi_find_context(c, json_str(params, "context"));
	if (!x)
		return;
	if (strcmp(name, "contextDestroyed") == 0) {
		contexts_on_destroyed(c, x);
		return;
	}
	if (starts_with(name, "navigation"))
		bidi_permit(c, x, json_text(params, "url"));
	for (size_t i = 0; i < ARRAY_SIZE(context_event_table); i++)
		if (strcmp(context_event_table[i].name, name) == 0) {
			context_event_table[i].fn(x, x->page, params);
			return;
		}
}

/* ---- frames as they are now ---- */

void engine_ask_frames(struct task *t, struct engine_target *s, struct engine_call *call)
{
	bidi_send(t, s, call, 0, "browsingContext.getTree", "{root: ?}", s ? s->id : "");
}

/* `left`: how many more are read, as the browser may list any number. */
static void bidi_read_tree(const struct json *tree, const char *parent, unsigned *left,
			   void (*take)(const struct engine_document *d, void *data), void *data)
{
	const struct engine_document d = {
		.frame = json_str(tree, "context"),
		.parent = parent,
		.url = json_text(tree, "url"),
		.fragment = "",
		.name = "",
		.failed = "",
	};

	if (*left == 0)
		return;
	--*left;
	take(&d, data);
	json_foreach(child, json_get(tree, "children"))
		bidi_read_tree(child, d.frame, left, take, data);
}

void engine_read_frames(const struct engine_call *call, unsigned count, void (*take)(const struct engine_document *d, void *data),
			void *data)
{
	bidi_read_tree(json_first(json_get(bidi_result(call), "contexts")), NULL, &count, take, data);
}

/* ---- frames of other origins ---- */

/* The length of scheme, host and port; an address without an authority, such as about:blank, has its parent's origin. */
static size_t origin_length(const char *url)
{
	const char *authority = strstr(url, "://");

	return authority ? (size_t)(authority - url) + 3 + strcspn(authority + 3, "/?#") : 0;
}

static bool is_foreign(const struct bidi_context *x)
{
	const char *url = str_text(&x->url), *in = str_text(&x->parent->url);
	size_t len = origin_length(url);

	return len && (len != origin_length(in) || strncmp(url, in, len) != 0);
}

static bool has_foreign(const struct bidi_context *x)
{
	const struct bidi_context *child;

	TAILQ_FOREACH(child, &x->children, link)
		if (is_foreign(child) || has_foreign(child))
			return true;
	return false;
}

bool bidi_has_foreign_frames(const struct engine_target *s)
{
	return s->context && has_foreign(s->context);
}
