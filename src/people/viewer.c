#include "people/viewer.h"

#include <string.h>
#include <sys/queue.h>

#include "base/limits.h"
#include "loop/http_socket.h"
#include "people/cards.h"
#include "people/focus.h"
#include "people/glance.h"
#include "people/pictures.h"
#include "people/taking.h"
#include "people/titles.h"
#include "session/control.h"

#define VIEWER_TICK (250 * USEC_PER_MSEC) /* between two looks at what has changed */
#define VIEWER_HURRY (50 * USEC_PER_MSEC) /* the same after a message of a viewer */
#define CLOSE_TOO_MANY 4008               /* status codes above 4000 are an application's, RFC 6455, 7.4.2 */

struct viewer {
	LIST_ENTRY(viewer) link;
	struct viewers *all;
	struct scope scope;
	struct http_socket *socket;
	bool hidden; /* the person does not see the page */

	bool lists; /* cards are shown */
	unsigned from, count;
	uint64_t revision;                         /* of cards that were sent */
	uint64_t window[LIMIT_VIEWER_CARDS_COUNT]; /* hashes of the keys that were sent, in their order */
	unsigned window_count, total;

	bool focused;
	struct focus focus;
	uint64_t focus_card; /* revision of its card that was sent; 0: none */
	bool wants_glance;
	_nullable_ struct glance *glance;
	struct pictures *pictures;

	unsigned messages; /* that it may send at once */
	usec_t messages_at;
};

struct viewers {
	struct loop *loop;
	struct app *app;
	const struct calls *calls;
	struct titles *titles;
	struct cards *cards;
	LIST_HEAD(, viewer) list;
	struct timer *timer;
	usec_t ticked_at;
	struct control_watcher control;
};

/* Sends the message and releases it. */
static void viewer_send(struct viewer *v, struct str *message)
{
	http_socket_text(v->socket, message->data, message->len);
	str_done(message);
}

#define VIEWER_SEND(v, ...) \
	do { \
		struct str _message = {}; \
		str_json(&_message, __VA_ARGS__); \
		viewer_send(v, &_message); \
	} while (0)

static void viewers_hurry(struct viewers *all)
{
	timer_set(all->timer, MAX(clock_now(), all->ticked_at + VIEWER_HURRY));
}

/* ---- cards ---- */

static uint64_t hash_of_key(const struct session_key *key)
{
	char name[SESSION_KEY_TEXT_SIZE];
	struct str text = { .data = name };

	session_key_print(key, name);
	text.len = strlen(name);
	return str_hash(&text);
}

/* The sessions of the viewer: those that want a person first, then the newest first. The caller frees the list. */
static const struct session **viewer_sessions(const struct viewer *v, unsigned *ret_count)
{
	const struct registry *r = v->all->app->registry;
	const struct session **list = must(calloc(2 * registry_count(r) + 1, sizeof(*list))), *s = NULL;
	unsigned count = 0, wanting = 0;
	const struct session **ordered = list + registry_count(r);
	uint64_t owner;

	while (count < registry_count(r) && (s = scope_next(&v->scope, r, s, &owner)))
		list[count++] = s;
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = count; i-- > 0;) {
			const struct card *card = cards_find(v->all->cards, session_owner(list[i]), session_id(list[i]));

			if (card && card->wants_person == !pass)
				ordered[wanting++] = list[i];
		}
	memmove(list, ordered, wanting * sizeof(*list));
	*ret_count = wanting;
	return list;
}

static bool was_shown(const struct viewer *v, uint64_t hash)
{
	for (unsigned i = 0; i < v->window_count; i++)
		if (v->window[i] == hash)
			return true;
	return false;
}

struct window {
	struct str keys, cards; /* elements with commas */
	uint64_t hashes[LIMIT_VIEWER_CARDS_COUNT];
	unsigned count;
};

static void window_done(struct window *w)
{
	str_done(&w->keys);
	str_done(&w->cards);
}

static void window_add(struct window *w, const struct viewer *v, const struct session *s)
{
	const struct card *card = cards_find(v->all->cards, session_owner(s), session_id(s));
	struct session_key key = session_key_of(s);
	uint64_t hash = hash_of_key(&key);
	char name[SESSION_KEY_TEXT_SIZE];

	session_key_print(&key, name);
	str_json(&w->keys, "? ?", JSON_COMMA(w->count), name);
	w->hashes[w->count++] = hash;
	if (card->revision <= v->revision && was_shown(v, hash))
		return;
	str_append(&w->cards, w->cards.len ? "," : "");
	str_append(&w->cards, card->json);
}

static void viewer_send_cards(struct viewer *v)
{
	_cleanup_(window_done) struct window w = {};
	_cleanup_(freep) const struct session **list;
	_cleanup_(str_done) struct str keys = {};
	unsigned total;
	bool changed;

	list = viewer_sessions(v, &total);
	for (unsigned i = v->from; i < total && w.count < v->count; i++)
		window_add(&w, v, list[i]);
	changed = w.count != v->window_count || total != v->total || memcmp(w.hashes, v->window, w.count * sizeof(w.hashes[0]));
	if (changed)
		str_json(&keys, ", keys: [?]", JSON_RAW(str_text(&w.keys)));
	if (changed || w.cards.len)
		VIEWER_SEND(v, "{type: 'cards', now: ?, total: ?, from: ? ?, cards: [?]}", clock_unix_msec(), total, v->from,
			    JSON_RAW(str_text(&keys)), JSON_RAW(str_text(&w.cards)));
	memcpy(v->window, w.hashes, sizeof(v->window));
	v->window_count = w.count;
	v->total = total;
	v->revision = cards_revision(v->all->cards);
}

/* ---- one session ---- */

static const struct session *viewer_find(const struct viewer *v, const struct session_key *key)
{
	const struct session *s = NULL;

	if (!scope_sees(&v->scope, key->owner, key->session))
		return NULL;
	while ((s = registry_next(v->all->app->registry, key->owner, s)))
		if (!strcmp(session_id(s), key->session))
			return s;
	return NULL;
}

static void viewer_unfocus(struct viewer *v)
{
	if (v->glance)
		glance_cancel(v->glance);
	v->glance = NULL;
	v->wants_glance = false;
	v->focused = false;
	focus_done(&v->focus);
}

static void viewer_on_glance(const char *text, const char *why, void *data)
{
	struct viewer *v = data;
	char name[SESSION_KEY_TEXT_SIZE];

	v->glance = NULL;
	session_key_print(&v->focus.key, name);
	VIEWER_SEND(v, "{type: 'snapshot', key: ?, text: ?, why: ?}", name, text, why);
}

static void viewer_glance(struct viewer *v, const struct session *s)
{
	if (v->glance || session_state(s) == SESSION_WORKING || glance_count() >= LIMIT_GLANCES_COUNT)
		return;
	v->glance = glance_begin(v->all->loop, v->all->app->registry, &v->focus.key, viewer_on_glance, v);
	v->wants_glance = !v->glance;
}

static void viewer_append_card(struct viewer *v, struct str *out)
{
	const struct card *card = cards_find(v->all->cards, v->focus.key.owner, v->focus.key.session);

	if (!card || card->revision == v->focus_card)
		return;
	str_json(out, ", card: ?", JSON_RAW(card->json));
	v->focus_card = card->revision;
}

static void viewer_send_session(struct viewer *v)
{
	const struct session *s = viewer_find(v, &v->focus.key);
	_cleanup_(str_done) struct str changes = {};
	char name[SESSION_KEY_TEXT_SIZE];

	session_key_print(&v->focus.key, name);
	if (!s) {
		VIEWER_SEND(v, "{type: 'session', key: ?, ended: true}", name);
		viewer_unfocus(v);
		return;
	}
	viewer_append_card(v, &changes);
	if (focus_append(&v->focus, v->all->calls, v->all->titles, s, &changes) || changes.len)
		VIEWER_SEND(v, "{type: 'session', now: ?, key: ? ?}", clock_unix_msec(), name, JSON_RAW(changes.data));
	if (v->wants_glance)
		viewer_glance(v, s);
}

static struct taking viewer_taking(const struct viewer *v)
{
	return (struct taking){ .loop = v->all->loop, .registry = v->all->app->registry, .scope = &v->scope };
}

/* ---- the clock of all viewers ---- */

static bool viewer_looks(const struct viewer *v)
{
	return !v->hidden && (v->lists || v->focused);
}

static void viewer_update(struct viewer *v)
{
	if (!viewer_looks(v) || http_socket_unsent(v->socket) > LIMIT_VIEWER_UNSENT)
		return;
	if (v->lists)
		viewer_send_cards(v);
	if (v->focused)
		viewer_send_session(v);
}

static void viewers_on_tick(void *data)
{
	struct viewers *all = data;
	bool any = false;
	struct viewer *v;

	LIST_FOREACH(v, &all->list, link)
		any |= viewer_looks(v);
	if (!any)
		return;
	all->ticked_at = clock_now();
	titles_refresh(all->titles);
	cards_update(all->cards);
	LIST_FOREACH(v, &all->list, link)
		viewer_update(v);
	timer_set(all->timer, clock_now() + VIEWER_TICK);
}

static void viewers_on_titles(void *data)
{
	struct viewers *all = data;

	if (timer_is_set(all->timer))
		viewers_hurry(all);
}

static void viewers_on_control(struct control_watcher *w, uint64_t owner, const char *id)
{
	struct viewers *all = CONTAINER_OF(w, struct viewers, control);

	if (timer_is_set(all->timer))
		viewers_hurry(all);
}

/* ---- messages of the page ---- */

static unsigned viewer_number(const struct json *m, const char *name, unsigned fallback, unsigned max)
{
	int64_t n = json_int(m, name, fallback);

	return n < 0 ? 0 : (unsigned)MIN(n, (int64_t)max);
}

static const char *on_list(struct viewer *v, const struct json *m)
{
	v->from = viewer_number(m, "from", 0, INT32_MAX);
	v->count = viewer_number(m, "count", LIMIT_VIEWER_CARDS_COUNT, LIMIT_VIEWER_CARDS_COUNT);
	v->lists = v->count > 0;
	v->window_count = 0;
	v->total = UINT32_MAX;
	return NULL;
}

/* A page names a session by its key; that of a link knows the id alone. */
static bool viewer_read_key(const struct viewer *v, const char *text, struct session_key *ret)
{
	uint64_t owner;

	if (session_key_parse(text, ret) && viewer_find(v, ret))
		return true;
	if (!text || !scope_find(&v->scope, v->all->app->registry, text, &owner))
		return false;
	*ret = session_key(owner, text);
	return viewer_find(v, ret);
}

static const char *on_open(struct viewer *v, const struct json *m)
{
	char name[SESSION_KEY_TEXT_SIZE];
	struct session_key key;

	if (!viewer_read_key(v, json_str(m, "key"), &key))
		return "gone";
	viewer_unfocus(v);
	focus_begin(&v->focus, &key);
	v->focused = true;
	v->focus_card = 0;
	session_key_print(&key, name);
	VIEWER_SEND(v, "{type: 'opened', key: ?}", name);
	return NULL;
}

static const char *on_close(struct viewer *v, const struct json *m)
{
	viewer_unfocus(v);
	return NULL;
}

static const char *on_snapshot(struct viewer *v, const struct json *m)
{
	const struct session *s = v->focused ? viewer_find(v, &v->focus.key) : NULL;
	char name[SESSION_KEY_TEXT_SIZE];

	if (!s)
		return "gone";
	session_key_print(&v->focus.key, name);
	v->wants_glance = true;
	if (session_state(s) == SESSION_WORKING)
		VIEWER_SEND(v, "{type: 'snapshot', key: ?, why: 'working'}", name);
	return NULL;
}

static const char *on_visible(struct viewer *v, const struct json *m)
{
	v->hidden = !json_bool(m, "visible", true);
	return NULL;
}

static const struct {
	const char *type;
	const char *(*take)(struct viewer *v, const struct json *m); /* NULL, or why not: a word for the page */
} viewer_messages[] = {
	{ "list", on_list }, { "open", on_open }, { "close", on_close }, { "snapshot", on_snapshot }, { "visible", on_visible },
};

/* Whether the viewer may send one more message now. */
static bool viewer_may_send(struct viewer *v)
{
	usec_t now = clock_now();
	uint64_t earned = (now - v->messages_at) * LIMIT_VIEWER_MESSAGES_PER_SECOND / USEC_PER_SEC;

	if (earned) {
		v->messages = (unsigned)MIN(v->messages + earned, LIMIT_VIEWER_MESSAGES_BURST);
		v->messages_at = now;
	}
	if (!v->messages)
		return false;
	v->messages--;
	return true;
}

static const char *viewer_take(struct viewer *v, const char *type, const struct json *m)
{
	struct taking taking = viewer_taking(v);
	struct session_key key;

	if (taking_knows(type))
		return viewer_read_key(v, json_str(m, "key"), &key) ? taking_message(&taking, type, &key, m) : "gone";
	for (size_t i = 0; i < ARRAY_SIZE(viewer_messages); i++)
		if (!strcmp(type, viewer_messages[i].type))
			return viewer_messages[i].take(v, m);
	return "unknown";
}

void viewer_text(struct viewer *v, char *text, size_t len)
{
	_cleanup_(json_freep) struct json *m = NULL;
	const char *why;

	if (!viewer_may_send(v)) {
		http_socket_close(v->socket, CLOSE_TOO_MANY, "too many messages");
		return;
	}
	if (json_parse(text, len, LIMIT_VIEWER_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &m) < 0) {
		VIEWER_SEND(v, "{type: 'refused', why: 'malformed'}");
		return;
	}
	if (pictures_take(v->pictures, m))
		return;
	why = viewer_take(v, json_text(m, "type"), m);
	if (why)
		VIEWER_SEND(v, "{type: 'refused', about: ?, why: ?}", json_text(m, "type"), why);
	viewers_hurry(v->all);
}

void viewer_drained(struct viewer *v)
{
	pictures_drained(v->pictures);
}

/* ---- live pictures ---- */

static void picture_text(const char *text, size_t len, void *data)
{
	http_socket_text(((struct viewer *)data)->socket, text, len);
}

static void picture_binary(const char *head, size_t head_len, const char *bytes, size_t len, void *data)
{
	http_socket_binary(((struct viewer *)data)->socket, head, head_len, bytes, len);
}

static size_t picture_unsent(void *data)
{
	return http_socket_unsent(((struct viewer *)data)->socket);
}

static const struct session *picture_find(const char *name, uint64_t *ret_owner, void *data)
{
	struct session_key key;

	if (!session_key_parse(name, &key))
		return NULL;
	*ret_owner = key.owner;
	return viewer_find(data, &key);
}

static const char *picture_refuse(uint64_t owner, const char *session, void *data)
{
	struct taking taking = viewer_taking(data);
	struct session_key key = session_key(owner, session);

	return taking_refusal(&taking, &key);
}

static const struct pictures_host pictures_host = {
	.text = picture_text,
	.binary = picture_binary,
	.unsent = picture_unsent,
	.find = picture_find,
	.refuse = picture_refuse,
};

/* ---- begin and end ---- */

static void viewer_greet(struct viewer *v)
{
	struct session_key key = session_key(v->scope.owner, v->scope.session);
	char name[SESSION_KEY_TEXT_SIZE];

	session_key_print(&key, name);
	VIEWER_SEND(v, "{type: 'hello', now: ?, act: ?, viewer: ?, one: ?}", clock_unix_msec(), v->scope.act, v->scope.person,
		    *v->scope.session ? name : NULL);
}

struct viewer *viewer_new(struct viewers *all, const struct scope *scope, struct http_socket *socket)
{
	struct viewer *v = NEW(struct viewer);
	struct taking taking;

	v->all = all;
	v->scope = *scope;
	v->socket = socket;
	v->messages = LIMIT_VIEWER_MESSAGES_BURST;
	v->messages_at = clock_now();
	v->pictures = pictures_new(all->loop, &pictures_host, v);
	LIST_INSERT_HEAD(&all->list, v, link);
	taking = viewer_taking(v);
	taking_presence(&taking, true);
	viewer_greet(v);
	return v;
}

/* Whether the person has another connection. */
static bool viewer_is_connected(const struct viewers *all, uint64_t person)
{
	const struct viewer *v;

	LIST_FOREACH(v, &all->list, link)
		if (v->scope.person == person)
			return true;
	return false;
}

void viewer_free(struct viewer *v)
{
	struct taking taking = viewer_taking(v);

	viewer_unfocus(v);
	pictures_free(v->pictures);
	LIST_REMOVE(v, link);
	if (!viewer_is_connected(v->all, v->scope.person))
		taking_presence(&taking, false);
	free(v);
}

struct viewers *viewers_new(struct loop *l, struct app *app, const struct calls *calls)
{
	struct viewers *all = NEW(struct viewers);

	*all = (struct viewers){ .loop = l, .app = app, .calls = calls };
	LIST_INIT(&all->list);
	all->titles = titles_new(l, app, viewers_on_titles, all);
	all->cards = cards_new(app, calls, all->titles);
	all->timer = timer_new(l, viewers_on_tick, all);
	all->control.changed = viewers_on_control;
	registry_watch_control(app->registry, &all->control);
	return all;
}

struct viewers *viewers_free(struct viewers *all)
{
	if (!all)
		return NULL;
	registry_unwatch_control(&all->control);
	timer_free(all->timer);
	cards_free(all->cards);
	titles_free(all->titles);
	free(all);
	return NULL;
}
