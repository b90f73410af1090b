/*
 * Sessions that move from one server to another: what is kept of one as JSON,
 * {egress, second, settings, noStorage, isolated, state: {cookies, origins}, leftOut: [{origin, databases}], current, pages: [{url, scroll, sessionStorage}]},
 * and a session that goes on with that.
 */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "browser/kept_page.h"
#include "browser/pool.h"
#include "browser/storage.h"
#include "egress/egress.h"
#include "session/internal.h"

#define STORAGE_MAX (12u << 20)          /* bytes of cookies and storage that are kept */
#define SAVED_MAX (15u << 20)            /* of all together: a record may have LIMIT_STORE_VALUE */
#define KEEP_TIME (3 * USEC_PER_SEC)     /* in which pages say what is kept of them, all together */
#define PAGE_TIME (8 * USEC_PER_SEC)     /* in which a page must have loaded */
#define RESTORE_TIME (20 * USEC_PER_SEC) /* for all pages together: clients give a call up after 30 s or 60 s */
#define NO_STORAGE_TOO_MUCH "tooMuch"
#define NO_STORAGE_UNREAD "unread"
#define STORAGE_TIME (10 * USEC_PER_SEC) /* in which the storage of all origins must have been read */
#define COOKIES_TIME (5 * USEC_PER_SEC)

/* ---- saving ---- */

/* Cookies alone go on where storage is too much, or cannot be read: with them, most sites know their user. */
int saved_keep_storage(struct task *t, struct session *s, struct str *out)
{
	_cleanup_(str_done) struct str state = {}, left_out = {};
	usec_t deadline = task_set_deadline(t, clock_now() + STORAGE_TIME);
	const char *why = NULL;
	int r;

	r = storage_collect_all(t, s->context, &state, &left_out);
	if (r == -ECANCELED)
		return r;
	if (r < 0 || state.len > STORAGE_MAX) {
		why = r < 0 ? NO_STORAGE_UNREAD : NO_STORAGE_TOO_MUCH;
		str_reset(&state);
		task_set_deadline(t, clock_now() + COOKIES_TIME);
		r = storage_collect_cookies(t, s->context, &state);
	}
	task_set_deadline(t, deadline);
	if (r < 0)
		return r;
	if (why)
		str_json(out, "noStorage: ?,", why);
	str_json(out, "leftOut: [?], state: ?", JSON_RAW(str_text(&left_out)), JSON_RAW(state.data));
	return 0;
}

/* Without what there is no room for. */
static int keep_page(struct task *t, struct page *p, usec_t until, struct str *out, struct str *fields)
{
	size_t before = out->len;
	int r = page_keep(t, p, until, out, fields);

	if (out->len <= SAVED_MAX)
		return r;
	str_truncate(out, before);
	str_json(out, "{url: ?}", before + strlen(page_url(p)) <= SAVED_MAX ? page_url(p) : "about:blank");
	return r;
}

int saved_keep_pages(struct task *t, struct session *s, struct str *out, struct str *fields)
{
	usec_t until = clock_now() + KEEP_TIME;
	unsigned count = 0, current = 0;
	struct tab *tab;
	int r = 0;

	str_append(out, "\"pages\":[");
	for (unsigned i = 0; r == 0 && (tab = tabs_nth(&s->tabs, i)); i++) {
		_cleanup_(page_unrefp) struct page *p = page_ref(tab->page);

		if (tab->context != s->context || !page_alive(p))
			continue;
		if (tab == s->tabs.current)
			current = count;
		if (fields && count)
			str_append_char(fields, ',');
		str_append(out, count++ ? "," : "");
		r = keep_page(t, p, until, out, fields);
	}
	str_appendf(out, "],\"current\":%u", current);
	return r;
}

static int saved_keep(struct task *t, struct session *s, struct str *out)
{
	int r;

	if (s->sleep) {
		sleep_save(s, out);
		return 0;
	}
	session_update_tabs(s);
	r = saved_keep_storage(t, s, out);
	str_append_char(out, ',');
	return r < 0 ? r : saved_keep_pages(t, s, out, NULL);
}

int session_save(struct task *t, struct session *s, struct str *out)
{
	int r;

	if (s->plan.ended || (s->own && s->registry && s->registry->options->persistent) || (!s->context && !s->sleep))
		return -ENOTSUP;
	str_append_char(out, '{');
	if (s->egress && egress_rules_of(s->egress))
		str_json(out, "egress: ?,", egress_rules_text(egress_rules_of(s->egress)));
	if (s->plan.second)
		str_append(out, "\"second\":true,");
	if (s->settings)
		str_json(out, "settings: ?,", s->settings->given);
	str_json(out, "isolated: ?,", s->isolated_count);
	r = saved_keep(t, s, out);
	str_append_char(out, '}');
	return r;
}

/* ---- restoring ---- */

int session_load(struct task *t, struct session *s, struct json **ret)
{
	const struct session_archive *archive = s->registry->archive;
	_cleanup_(json_freep) struct json *saved = NULL;
	const char *rules;
	int r;

	r = archive->load(t, s->owner, s->id, &saved, archive->data);
	if (r <= 0)
		return r;
	rules = json_str(saved, "egress");
	if (!rules && json_member(saved, "egress")) /* never without the limits that it had */
		return task_fail(t, -ERR_INVALID_PARAMETERS, "the saved session %s has an \"egress\" that is no text", s->id);
	r = 0;
	if (rules && !s->egress && s->registry)
		r = registry_make_egress(t, s->registry, rules, &s->egress);
	if (r < 0)
		return r;
	s->plan.second = json_bool(saved, "second", false);
	if (s->plan.second && !pool_second(s->pool))
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"the saved session %s worked in a second browser, which this server does not have; start it with the "
			"same browsers as the server that saved it",
			s->id);
	if (!s->settings && s->registry)
		r = session_make_settings(t, s->registry, json_member(saved, "settings"), s->plan.second, s->egress, &s->settings);
	if (r < 0)
		return task_wrap(t, r, r, arena_printf(task_arena(t), "the saved session %s cannot go on here: ", s->id), "");
	s->restoring = true;
	*ret = TAKE_PTR(saved);
	return 0;
}

/* On a busy machine a page may not answer in time; a second attempt is cheaper than a session without its page. */
static int saved_bring_back(struct task *t, struct page *p, const struct json *kept, const struct json *fields, usec_t until,
			    unsigned *missing)
{
	usec_t now = clock_now();
	int r = -ETIMEDOUT;

	for (int attempt = 0; attempt < 2 && r == -ETIMEDOUT && now < until; attempt++, now = clock_now())
		r = page_bring_back(t, p, kept, fields, MIN(PAGE_TIME, until - now), missing);
	return r;
}

static void note_failed(struct brought_back *b, const struct json *kept)
{
	str_appendf(&b->failed, "%s%.200s", b->failed.len ? ", " : "", json_text(kept, "url"));
}

/* The page is there, whether its address has loaded or not. Negative: the session cannot go on. */
static int bring_back_tab(struct task *t, struct session *s, struct page *p, const struct json *kept, const struct json *fields,
			  usec_t until, struct brought_back *ret)
{
	unsigned missing = 0;
	struct tab *tab;
	int r;

	session_update_tabs(s);
	r = saved_bring_back(t, p, kept, fields, until, &missing);
	if (r == -ECANCELED || r == -ENOTCONN)
		return r;
	if (r < 0)
		note_failed(ret, kept);
	ret->missing_fields += missing;
	tab = tabs_find(&s->tabs, p);
	if (tab)
		tab->is_used = true;
	return 0;
}

int saved_bring_back_pages(struct task *t, struct session *s, const struct json *saved, const struct json *fields,
			   struct brought_back *ret)
{
	const struct json *typed = json_first(fields);
	unsigned at = 0, current = (unsigned)json_num(saved, "current", 0);
	usec_t until = clock_now() + RESTORE_TIME;
	int r;

	json_foreach(kept, json_member(saved, "pages")) {
		_cleanup_(page_unrefp) struct page *p = at == 0 ? page_ref(context_page(s->context)) : NULL;

		r = p ? 0 : context_open_page(t, s->context, &p);
		if (r == 0)
			r = bring_back_tab(t, s, p, kept, typed, until, ret);
		else if (r == -ERR_INVALID_PARAMETERS) /* more pages than a session may have, which was more before */
			note_failed(ret, kept);
		if (r < 0 && r != -ERR_INVALID_PARAMETERS)
			return r;
		if (p && at == current && tabs_find(&s->tabs, p))
			s->tabs.current = tabs_find(&s->tabs, p);
		typed = json_next(typed);
		at++;
	}
	task_forget_failure(t);
	return 0;
}

const char *saved_storage_words(const struct json *saved)
{
	const char *why = json_text(saved, "noStorage");

	return !strcmp(why, NO_STORAGE_TOO_MUCH) ? "its storage, which was too much to keep, is empty, cookies are" :
	       *why ? "its storage, which could not be read because a page did not answer, is empty, cookies are" :
		      "cookies and storage are";
}

static void saved_announce(struct session *s, const struct json *saved, const char *failed)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(
		&text,
		"This session was restored on another server: %s as they were, its pages were loaded anew, and refs are new. What pages "
		"kept in memory (forms that were filled, connections) is gone",
		saved_storage_words(saved));
	if (json_num(saved, "isolated", 0) > 0)
		str_append(&text, ", and so are its isolated contexts");
	json_foreach(origin, json_member(saved, "leftOut"))
		str_appendf(&text, ", and some databases of %.200s", json_text(origin, "origin"));
	if (*failed)
		str_appendf(&text, ". These pages did not load: %s", failed);
	context_announce(s->context, text.data);
}

int session_restore(struct task *t, struct session *s, const struct json *saved)
{
	const struct session_archive *archive = s->registry ? s->registry->archive : NULL;
	const struct json *state = json_member(saved, "state");
	_cleanup_(brought_back_done) struct brought_back back = {};
	int r = 0;

	if (state && !storage_check(state))
		r = storage_replace(t, s->context, state);
	if (r == 0)
		r = saved_bring_back_pages(t, s, saved, NULL, &back);
	if (r == 0 && archive)
		r = archive->claim(t, s->owner, s->id, archive->data);
	if (r == 0)
		return task_fail(t, -ERR_SESSION_NOT_FOUND,
				 "session %s was restored on another server at the same time; call again", s->id);
	if (r < 0)
		return r;
	s->restoring = false;
	log_info("session %s was restored", s->id);
	saved_announce(s, saved, str_text(&back.failed));
	return 0;
}
