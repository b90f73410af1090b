#include "browser/kept_page.h"

#include <errno.h>

#include "base/limits.h"
#include "engine/elements.h"
#include "engine/navigation.h"
#include "engine/script.h"
#include "page/frame.h"
#include "page/group.h"
#include "page/modal.h"
#include "page/navigate.h"
#include "page/options.h"
#include "page/origins.h"
#include "scripts/scripts.h"

static int kept_page_ask(struct task *t, struct page *p, usec_t until, const char *expression, struct json **ret)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	int r = f ? frame_probe_briefly(t, f, until, ret, expression) : -ESTALE;

	return r == -ECANCELED ? r : 0;
}

/* ---- keeping ---- */

static void append_history(struct str *out, const struct page_history *h)
{
	size_t at = h->current - MIN(h->current, (size_t)LIMIT_KEPT_HISTORY_COUNT);
	bool first = true;

	for (; at < MIN(h->current, h->count); at++) {
		if (!url_is_web(h->items[at].url))
			continue;
		str_json(out, "? ?", JSON_RAW(first ? ", \"history\": [" : ","), h->items[at].url);
		first = false;
	}
	if (!first)
		str_append_char(out, ']');
}

static int keep_history(struct task *t, struct page *p, usec_t until, struct str *out)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), until));
	_cleanup_(page_history_done) struct page_history history = {};
	int r = page_alive(p) ? engine_history(t, page_target(p), &history) : -ESTALE;

	task_set_deadline(t, outer);
	if (r == 0)
		append_history(out, &history);
	return r == -ECANCELED ? r : 0;
}

/* Fields in frames are counted, and not kept. Suspends. */
static int count_in_frames(struct task *t, struct page *p, usec_t until, int64_t *sum)
{
	_cleanup_(frame_list_done) struct frame_list frames = {};
	_cleanup_(str_done) struct str call = {};
	int r = 0;

	str_appendf(&call, "%s()", count_filled_script);
	page_list_frames(p, &frames);
	for (size_t i = 0; i < frames.count && r != -ECANCELED && clock_now() < until; i++) {
		_cleanup_(json_freep) struct json *count = NULL;

		if (frame_list_item(&frames, i) != page_main_frame(p))
			r = frame_probe_briefly(t, frame_list_item(&frames, i), until, &count, call.data);
		*sum += json_int(count, NULL, 0);
	}
	return r == -ECANCELED ? r : 0;
}

int page_keep(struct task *t, struct page *p, usec_t until, struct str *out, struct str *fields)
{
	int64_t left;
	_cleanup_(json_freep) struct json *kept = NULL;
	_cleanup_(str_done) struct str call = {};
	int width, height, r;

	str_appendf(&call, "%s(%s('sessionStorage'), %u)", keep_page_script, read_storage_script, fields ? LIMIT_KEPT_FIELDS : 0);
	r = kept_page_ask(t, p, until, call.data, &kept);
	str_json(out, "{url: ?", page_url(p));
	page_viewport(p, &width, &height);
	if (page_alive(p) && (width != page_options(p)->viewport.width || height != page_options(p)->viewport.height))
		str_json(out, ", viewport: [?, ?]", width, height);
	if (json_type(json_get(kept, "scroll")) == JSON_ARRAY)
		str_json(out, ", title: ?, scroll: ?", json_text(kept, "title"), json_get(kept, "scroll"));
	if (url_is_web(page_url(p)) && json_count(json_get(kept, "items")))
		str_json(out, ", sessionStorage: ?", json_get(kept, "items"));
	if (r == 0)
		r = keep_history(t, p, until, out);
	str_append_char(out, '}');
	left = json_int(kept, "left", 0);
	if (r == 0 && fields)
		r = count_in_frames(t, p, until, &left);
	if (fields)
		str_json(fields, "{fields: ?, left: ?}", json_get(kept, "fields"), left);
	return r;
}

/* ---- bringing back ---- */

/* Documents that are answered empty, so that no server is asked. One that cannot be opened is left out. */
static int bring_back_history(struct task *t, struct page *p, const struct json *history, usec_t until)
{
	int r = 0;

	if (!json_count(history))
		return 0;
	page_answer_blank(p, true);
	json_foreach(entry, history) {
		r = page_navigate(t, p, json_text(entry, NULL), WAIT_DOMCONTENTLOADED, until - MIN(until, clock_now()), NULL);
		if (r == -ECANCELED || r == -ENOTCONN || r == -ESTALE)
			break;
		r = 0;
	}
	if (page_alive(p))
		page_answer_blank(p, false);
	return r;
}

/* Fills the storage when the first document of its origin begins, before the scripts of that run. Other scripts of the page cannot see it. */
static void fill_session_storage(struct task *t, struct page *p, const char *url, const struct json *items,
				 struct engine_call *call)
{
	_cleanup_(str_done) struct str origin = {}, source = {};

	url_origin(&origin, url);
	str_append(&source, "if (window === top && location.origin === ");
	str_json(&source, "?", origin.data);
	str_appendf(&source, " && !sessionStorage.length) %s(", fill_storage_script);
	json_print(&source, items);
	str_append(&source, ", 'sessionStorage')");
	engine_lend_script(t, page_target(p), call, source.data, "browserd-kept");
}

static int open_address(struct task *t, struct page *p, const struct json *kept, usec_t until)
{
	const struct json *items = json_member(kept, "sessionStorage");
	_cleanup_(engine_call_done) struct engine_call call = {};
	const char *url = json_text(kept, "url");
	bool fills = json_count(items) && url_is_web(url) && page_alive(p);
	int r;

	if (fills)
		fill_session_storage(t, p, url, items, &call);
	r = page_navigate(t, p, url, WAIT_LOAD, until - MIN(until, clock_now()), NULL);
	if (fills && r == 0)
		r = engine_await(t, &call);
	if (fills && page_alive(p))
		engine_remove_script(page_target(p), &call);
	return r;
}

/* Suspends as long as fields are waited for; a page that does not answer keeps what it shows. */
static int restore(struct task *t, struct page *p, const char *expression, unsigned *ret_missing)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	_cleanup_(json_freep) struct json *missing = NULL;
	int r = frame_probe_promise(t, f, &missing, expression);

	*ret_missing += (unsigned)json_int(missing, NULL, 0);
	return r == -ECANCELED ? r : 0;
}

static int restore_contents(struct task *t, struct page *p, const struct json *kept, const struct json *fields,
			    unsigned *ret_missing)
{
	const struct json *scroll = json_member(kept, "scroll"), *list = json_member(fields, "fields");
	_cleanup_(str_done) struct str call = {};

	*ret_missing = (unsigned)json_int(fields, "left", 0);
	if (json_count(scroll) != 2 || page_blocked(p))
		return 0;
	if (!json_count(list) && json_num(json_first(scroll), NULL, 0) == 0 &&
	    json_num(json_next(json_first(scroll)), NULL, 0) == 0)
		return 0;
	str_appendf(&call, "%s(", restore_page_script);
	if (json_type(list) == JSON_ARRAY)
		json_print(&call, list);
	else
		str_append(&call, "[]");
	str_append_char(&call, ',');
	json_print(&call, scroll);
	str_append_char(&call, ')');
	return restore(t, p, call.data, ret_missing);
}

int page_bring_back(struct task *t, struct page *p, const struct json *kept, const struct json *fields, usec_t timeout,
		    unsigned *ret_missing)
{
	const struct json *viewport = json_member(kept, "viewport");
	usec_t until = clock_now() + timeout;
	unsigned missing = 0;
	int r = 0;

	if (json_count(viewport) == 2)
		r = page_resize(t, p, (int)json_int(json_first(viewport), NULL, 0),
				(int)json_int(json_next(json_first(viewport)), NULL, 0));
	if (r == 0)
		r = bring_back_history(t, p, json_member(kept, "history"), until);
	if (r == 0)
		r = open_address(t, p, kept, until);
	if (r == 0)
		r = restore_contents(t, p, kept, fields, &missing);
	if (ret_missing)
		*ret_missing = missing;
	return r;
}

/* ---- pages that ask to stay ---- */

int page_asks_to_stay(struct task *t, struct page *p, usec_t until, bool *ret)
{
	_cleanup_(frame_list_done) struct frame_list frames = {};
	usec_t outer = task_deadline(t);
	int r = page_blocked(p) ? -EBUSY : 0;

	*ret = false;
	page_list_frames(p, &frames);
	task_set_deadline(t, MIN(outer, until));
	for (size_t i = 0; i < frames.count && r == 0 && !*ret; i++) {
		r = engine_listens(t, frame_engine(frame_list_item(&frames, i)), "beforeunload", ret);
		if (r == -ESTALE && page_alive(p)) /* the frame, or its document, has gone */
			r = 0;
	}
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT ? -EBUSY : r;
}
