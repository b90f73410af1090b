#include "people/cards.h"

#include <search.h>
#include <string.h>

#include "base/limits.h"
#include "page/modal.h"
#include "people/session_key.h"
#include "people/shown.h"
#include "people/taking.h"
#include "people/titles.h"

#define CALLS_SHOWN 3   /* of those that have ended */
#define RUNNING_SHOWN 4 /* of those that run or wait */

struct kept_card {
	struct session_key key;
	TAILQ_ENTRY(kept_card) link;
	struct card card; /* its text is that of `json` */
	struct str json;
	unsigned round; /* the update that has found it last */
};

struct cards {
	struct app *app;
	const struct calls *calls;
	const struct titles *titles;
	void *by_key; /* tsearch() tree of struct kept_card */
	TAILQ_HEAD(, kept_card) list;
	uint64_t revision;
	unsigned round;
	struct str draft;
};

/* ---- the text ---- */

void cards_append_call(struct str *out, const struct seen_call *call)
{
	static const char *const outcomes[] = { "ok", "failed", "cancelled" };

	str_json(out, "{n: ?, tool: ?, line: ?, began: ?", call->number, call->tool, call->line, call->began);
	if (call->number)
		str_json(out, ", ms: ?, outcome: ?", call->duration / USEC_PER_MSEC, outcomes[call->outcome]);
	if (call->error)
		str_json(out, ", error: ?", call->error);
	if (call->where)
		str_json(out, ", where: ?", call->where);
	str_append(out, call->is_step ? ",\"step\":true}" : "}");
}

void cards_append_running(struct str *out, const struct calls *calls, const struct session *s)
{
	_cleanup_(str_done) struct str line = {};
	struct seen_call call;
	unsigned at = 0;

	for (unsigned n = 0; n < RUNNING_SHOWN && calls_next_running(calls, s, &at, &line, &call); n++) {
		str_append(out, n ? "," : "");
		cards_append_call(out, &call);
	}
}

static void append_last_calls(struct str *out, const struct calls *calls, const struct session *s)
{
	uint64_t last = calls_last(calls, session_owner(s), session_id(s)), at = last > CALLS_SHOWN ? last - CALLS_SHOWN : 0;
	const struct seen_call *call;
	bool any = false;

	while ((call = calls_next(calls, session_owner(s), session_id(s), at))) {
		str_append(out, any ? "," : "");
		cards_append_call(out, call);
		at = call->number;
		any = true;
	}
}

const char *cards_state(const struct session *s)
{
	return session_state_table[session_state(s)];
}

static void append_page(struct str *out, const struct cards *c, const struct session *s)
{
	const char *url = NULL, *title = NULL;
	const struct page *p = session_current_page(s);
	_cleanup_(str_done) struct str shown_url = {}, shown_title = {};

	if (session_sleeping_page(s, &url, &title)) {
		shown_text(&shown_title, title, LIMIT_SEEN_TITLE);
	} else if (p) {
		url = page_url(p);
		str_append(&shown_title, titles_find(c->titles, page_target_id(p)));
	}
	shown_address(&shown_url, url ? url : "about:blank");
	str_json(out, "title: ?, url: ?, dialog: ?", str_text(&shown_title), str_text(&shown_url),
		 (bool)(p && page_dialog_type(p)));
}

static unsigned cards_count_pages(const struct session *s)
{
	struct page *p = NULL;
	unsigned n = 0;

	while ((p = session_next_page(s, p)))
		n++;
	return n;
}

static void cards_write(struct cards *c, const struct session *s, struct str *out)
{
	struct browser *b = session_browser(s);
	struct session_key key = session_key_of(s);
	char name[SESSION_KEY_TEXT_SIZE];

	session_key_print(&key, name);
	str_json(out, "{key: ?, id: ?, state: ?, engine: ?, tabs: ?, created: ?, calls: ?, ", name, session_id(s), cards_state(s),
		 b ? engine_name(&browser_options(b)->start) : NULL, cards_count_pages(s), session_created_at(s),
		 calls_last(c->calls, session_owner(s), session_id(s)));
	append_page(out, c, s);
	str_append(out, ",\"running\":[");
	cards_append_running(out, c->calls, s);
	str_append(out, "],\"last\":[");
	append_last_calls(out, c->calls, s);
	str_append_char(out, ']');
	taking_append(out, c->app->registry, &key);
	str_append_char(out, '}');
}

/* ---- the cards ---- */

const struct card *cards_find(const struct cards *c, uint64_t owner, const char *session)
{
	const struct session_key key = session_key(owner, session);
	struct kept_card **found = tfind(&key, &c->by_key, session_key_compare);

	return found ? &(*found)->card : NULL;
}

static struct kept_card *cards_make(struct cards *c, const struct session *s)
{
	struct session_key key = session_key_of(s);
	struct kept_card **found = tfind(&key, &c->by_key, session_key_compare), *card;

	if (found)
		return *found;
	card = NEW(struct kept_card);
	card->key = key;
	must(tsearch(card, &c->by_key, session_key_compare));
	TAILQ_INSERT_TAIL(&c->list, card, link);
	return card;
}

static void cards_drop(struct cards *c, struct kept_card *card)
{
	tdelete(card, &c->by_key, session_key_compare);
	TAILQ_REMOVE(&c->list, card, link);
	str_done(&card->json);
	free(card);
}

static void cards_renew(struct cards *c, const struct session *s)
{
	struct kept_card *card = cards_make(c, s);

	card->round = c->round;
	card->card.wants_person = taking_concerns(c->app->registry, &card->key);
	str_reset(&c->draft);
	cards_write(c, s, &c->draft);
	if (card->card.revision && !strcmp(card->json.data, c->draft.data))
		return;
	str_set(&card->json, c->draft.data);
	card->card.json = card->json.data;
	card->card.revision = ++c->revision;
}

void cards_update(struct cards *c)
{
	const struct session *s = NULL;
	struct kept_card *card, *next;
	uint64_t owner;

	c->round++;
	while ((s = registry_next_of_all(c->app->registry, s, &owner)))
		cards_renew(c, s);
	for (card = TAILQ_FIRST(&c->list); card; card = next) {
		next = TAILQ_NEXT(card, link);
		if (card->round != c->round)
			cards_drop(c, card);
	}
}

uint64_t cards_revision(const struct cards *c)
{
	return c->revision;
}

struct cards *cards_new(struct app *app, const struct calls *calls, const struct titles *titles)
{
	struct cards *c = NEW(struct cards);

	*c = (struct cards){ .app = app, .calls = calls, .titles = titles };
	TAILQ_INIT(&c->list);
	return c;
}

struct cards *cards_free(struct cards *c)
{
	if (!c)
		return NULL;
	while (!TAILQ_EMPTY(&c->list))
		cards_drop(c, TAILQ_FIRST(&c->list));
	str_done(&c->draft);
	free(c);
	return NULL;
}
