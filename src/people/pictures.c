#include "people/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "page/cast.h"
#include "page/navigate.h"
#include "page/rest.h"
#include "people/input.h"

#define FOLLOW_PERIOD (200 * USEC_PER_MSEC) /* in which a watch follows its session to another tab */
#define PICTURE_HEAD_SIZE 16
#define PICTURE_KIND 1
#define SLOWEST_RATE 0.1 /* pictures a second */

struct live_picture {
	LIST_ENTRY(live_picture) link;
	struct pictures *of;
	struct cast_viewer viewer;
	uint32_t as;
	char *key; /* of the session */
	uint64_t owner;
	uint32_t sent;                      /* number of the last picture */
	unsigned under_way;                 /* that were sent and not seen */
	bool missed;                        /* a picture was not sent because of what is unsent */
	uint32_t first;                     /* of the pictures of `document`, */
	unsigned document;                  /* which the last picture showed, */
	_nullable_ const struct page *page; /* of this page; only compared. NULL: none was sent */
	const char *state;                  /* as it was told; NULL: not yet */
	struct person *person;              /* NULL: it has done nothing yet */
};

struct pictures {
	struct loop *loop;
	const struct pictures_host *host;
	void *data;
	LIST_HEAD(, live_picture) watches;
	unsigned count;
	struct timer *timer;
};

static void pictures_say(struct pictures *all, const struct str *message)
{
	all->host->text(message->data, message->len, all->data);
}

static void say_refused(struct pictures *all, const char *about, int64_t as, const char *why)
{
	_cleanup_(str_done) struct str message = {};

	str_json(&message, "{type: 'refused', about: ?, as: ?, why: ?}", about, as, why);
	pictures_say(all, &message);
}

/* ---- pictures ---- */

static double clamp(double n, double least, double most)
{
	return fmin(fmax(n, least), most); /* `least` for what is no number */
}

static void pictures_put(char *at, size_t size, uint32_t value)
{
	for (size_t i = size; i-- > 0; value >>= 8)
		at[i] = (char)(value & 0xff);
}

static void send_picture_to(struct live_picture *w, const struct cast_picture *p)
{
	char head[PICTURE_HEAD_SIZE] = { PICTURE_KIND, PICTURE_HEAD_SIZE };

	pictures_put(head + 4, 4, w->as);
	pictures_put(head + 8, 4, w->sent);
	pictures_put(head + 12, 2, (uint32_t)clamp(p->width, 0, UINT16_MAX));
	pictures_put(head + 14, 2, (uint32_t)clamp(p->height, 0, UINT16_MAX));
	w->of->host->binary(head, sizeof(head), (const char *)p->jpeg, p->size, w->of->data);
}

static void live_show(struct cast_viewer *v, struct cast_picture *p)
{
	struct live_picture *w = CONTAINER_OF(v, struct live_picture, viewer);

	if (w->of->host->unsent(w->of->data) > LIMIT_PICTURES_UNSENT) {
		w->missed = true;
		return;
	}
	w->sent++;
	w->under_way++;
	if (w->page != v->page || w->document != p->document)
		w->first = w->sent;
	w->page = v->page;
	w->document = p->document;
	send_picture_to(w, p);
}

static bool live_is_fresh(const struct live_picture *w, int64_t picture)
{
	return w->viewer.page && w->page == w->viewer.page && w->document == page_commits(w->viewer.page) && picture >= w->first &&
	       picture <= w->sent;
}

/* ---- following the session ---- */

static const char *state_of(const struct session *s, const struct page *p)
{
	return !s                                   ? "ended" :
	       session_state(s) == SESSION_SLEEPING ? "asleep" :
	       !p                                   ? "none" :
	       page_crashed(p)                      ? "crashed" :
	       page_rests(p)                        ? "resting" :
						      "live";
}

static void tell_state(struct live_picture *w, const char *state)
{
	_cleanup_(str_done) struct str message = {};

	if (w->state && strcmp(w->state, state) == 0)
		return;
	w->state = state;
	str_json(&message, "{type: 'picture', as: ?, state: ?}", w->as, state);
	pictures_say(w->of, &message);
}

static void live_follow(struct live_picture *w)
{
	const struct session *s = w->of->host->find(w->key, &w->owner, w->of->data);
	struct page *p = s ? session_current_page(s) : NULL;

	if (w->viewer.page != p) {
		cast_leave(&w->viewer);
		w->page = NULL;
		w->person = person_free(w->person);
		if (p && page_alive(p))
			cast_join(&w->viewer, p);
	}
	tell_state(w, state_of(s, p));
}

static void pictures_follow(void *data)
{
	struct pictures *all = data;
	struct live_picture *w;

	LIST_FOREACH(w, &all->watches, link)
		live_follow(w);
	if (all->count)
		timer_set(all->timer, clock_now() + FOLLOW_PERIOD);
}

/* ---- watches ---- */

static struct live_picture *find_watch(struct pictures *all, const struct json *m)
{
	int64_t as = json_int(m, "as", -1);
	struct live_picture *w;

	LIST_FOREACH(w, &all->watches, link)
		if (w->as == as)
			return w;
	return NULL;
}

static void live_free(struct live_picture *w)
{
	LIST_REMOVE(w, link);
	w->of->count--;
	cast_leave(&w->viewer);
	person_free(w->person);
	free(w->key);
	free(w);
}

static struct live_picture *live_new(struct pictures *all, uint32_t as, unsigned credit)
{
	struct live_picture *w = NEW(struct live_picture);

	*w = (struct live_picture){ .of = all, .as = as, .viewer = { .show = live_show, .credit = credit } };
	LIST_INSERT_HEAD(&all->watches, w, link);
	all->count++;
	return w;
}

static int side_of(const struct json *m, const char *name)
{
	return (int)clamp(json_num(m, name, 0), LIMIT_CAST_LEAST, MAX(LIMIT_CAST_WIDTH, LIMIT_CAST_HEIGHT));
}

static void live_set(struct live_picture *w, const struct json *m)
{
	struct cast_size size = { side_of(m, "width"), side_of(m, "height") };
	double rate = clamp(json_num(m, "rate", 1), SLOWEST_RATE, LIMIT_CAST_RATE);

	if (!w->key || strcmp(w->key, json_text(m, "key")) != 0) {
		free(w->key);
		w->key = must(strdup(json_text(m, "key")));
		w->state = NULL;
	}
	cast_set_size(&w->viewer, &size, (usec_t)((double)USEC_PER_SEC / rate));
	live_follow(w);
}

static void take_watch(struct pictures *all, const struct json *m)
{
	int64_t as = json_int(m, "as", -1);
	struct live_picture *w = find_watch(all, m);

	if (as < 0 || as > UINT32_MAX || (!w && all->count >= LIMIT_WATCHES_COUNT)) {
		say_refused(all, "watch", as, "full");
		return;
	}
	if (!w)
		w = live_new(all, (uint32_t)as, json_num(m, "rate", 1) > 1 ? 2 : 1);
	live_set(w, m);
	if (!timer_is_set(all->timer))
		timer_set(all->timer, clock_now() + FOLLOW_PERIOD);
}

static void take_unwatch(struct pictures *all, const struct json *m)
{
	struct live_picture *w = find_watch(all, m);

	if (w)
		live_free(w);
}

/* Each picture is seen once, whatever the page says. */
static void take_seen(struct pictures *all, const struct json *m)
{
	struct live_picture *w = find_watch(all, m);

	if (!w || !w->under_way)
		return;
	w->under_way--;
	cast_add_credit(&w->viewer);
}

void pictures_drained(struct pictures *all)
{
	struct live_picture *w;

	LIST_FOREACH(w, &all->watches, link)
		if (w->missed) {
			w->missed = false;
			w->viewer.shown = 0;
			cast_add_credit(&w->viewer);
		}
}

/* ---- input ---- */

static void say_copied(const char *text, void *data)
{
	_cleanup_(str_done) struct str message = {};
	struct live_picture *w = data;

	if (strlen(text) > LIMIT_INPUT_TEXT)
		return;
	str_json(&message, "{type: 'copied', as: ?, text: ?}", w->as, text);
	pictures_say(w->of, &message);
	explicit_bzero(message.data, message.len);
}

static void say_choice(const struct json *choice, void *data)
{
	_cleanup_(str_done) struct str box = {}, options = {}, message = {};
	struct live_picture *w = data;

	json_print(&box, json_get(choice, "box"));
	json_print(&options, json_get(choice, "options"));
	str_json(&message, "{type: 'choice', as: ?, number: ?, box: ?, options: ?}", w->as, json_int(choice, "number", 0),
		 JSON_RAW(box.data), JSON_RAW(options.data));
	pictures_say(w->of, &message);
}

static const struct person_handler live_person = { .copied = say_copied, .offered = say_choice };

static const char *refuse_input(struct live_picture *w, const struct json *m)
{
	const struct session *s = w->of->host->find(w->key, &w->owner, w->of->data);
	const char *why = s ? w->of->host->refuse(w->owner, session_id(s), w->of->data) : "gone";
	struct input_target to;

	if (why)
		return why;
	live_follow(w);
	to = (struct input_target){ .loop = w->of->loop,
				    .page = w->viewer.page,
				    .is_fresh = live_is_fresh(w, json_int(m, "picture", -1)),
				    .handler = &live_person,
				    .data = w };
	return input_take(&to, &w->person, json_get(m, "events"));
}

static void take_input(struct pictures *all, const struct json *m)
{
	struct live_picture *w = find_watch(all, m);
	const char *why = w ? refuse_input(w, m) : "gone";

	if (why)
		say_refused(all, "input", json_int(m, "as", -1), why);
}

/* ---- */

bool pictures_take(struct pictures *all, const struct json *message)
{
	static const struct {
		const char *type;
		void (*take)(struct pictures *all, const struct json *m);
	} messages[] = {
		{ "watch", take_watch },
		{ "unwatch", take_unwatch },
		{ "seen", take_seen },
		{ "input", take_input },
	};

	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		if (strcmp(messages[i].type, json_text(message, "type")) == 0) {
			messages[i].take(all, message);
			return true;
		}
	return false;
}

struct pictures *pictures_new(struct loop *l, const struct pictures_host *host, void *data)
{
	struct pictures *all = NEW(struct pictures);

	*all = (struct pictures){ .loop = l, .host = host, .data = data };
	LIST_INIT(&all->watches);
	all->timer = timer_new(l, pictures_follow, all);
	return all;
}

struct pictures *pictures_free(struct pictures *all)
{
	struct live_picture *w;

	if (!all)
		return NULL;
	while ((w = LIST_FIRST(&all->watches)))
		live_free(w);
	timer_free(all->timer);
	free(all);
	return NULL;
}
