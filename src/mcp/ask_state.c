/*
 * State names are random, so that they cannot be guessed, and the state stays in the server, so that clients cannot
 * change it. Above a limit, the oldest state of the owner who has the most is
 * dropped, and all expire.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/random.h"
#include "mcp/ask.h"

#define KEPT_FOR (15 * 60 * USEC_PER_SEC)
#define STATE_BASE (LIMIT_ASKED_BYTES / LIMIT_ASKED_COUNT) /* what one without any bytes weighs among those of all owners */

/* What one owner is asked. */
struct asked_owner {
	LIST_ENTRY(asked_owner) link;
	uint64_t number;
	size_t weight;                  /* of its states */
	TAILQ_HEAD(, ask_state) states; /* the oldest first */
};

struct ask_state {
	TAILQ_ENTRY(ask_state) link, beside; /* of all, and of the owner's */
	struct asked_owner *owner;
	uint64_t request; /* request_hash() */
	usec_t until;
	size_t bytes;
	char name[RANDOM_NAME_SIZE];
	struct str asked, answers;
};

/* Shared by all connections, because a retry may arrive on another one. */
static TAILQ_HEAD(, ask_state) states = TAILQ_HEAD_INITIALIZER(states);
static LIST_HEAD(, asked_owner) owners = LIST_HEAD_INITIALIZER(owners); /* of these states */
static void *owners_by_number;                                          /* tsearch() tree of the same */
static unsigned state_count;
static size_t state_bytes;

static int ask_state_compare_owners(const void *a, const void *b)
{
	uint64_t x = ((const struct asked_owner *)a)->number, y = ((const struct asked_owner *)b)->number;

	return (x > y) - (x < y);
}

static struct asked_owner *find_or_add_owner(uint64_t number)
{
	struct asked_owner *const *found =
		tfind(&(const struct asked_owner){ .number = number }, &owners_by_number, ask_state_compare_owners);
	struct asked_owner *o;

	if (found)
		return *found;
	o = NEW(struct asked_owner);
	o->number = number;
	TAILQ_INIT(&o->states);
	LIST_INSERT_HEAD(&owners, o, link);
	must(tsearch(o, &owners_by_number, ask_state_compare_owners));
	return o;
}

static void leave_owner(struct ask_state *s)
{
	struct asked_owner *o = s->owner;

	TAILQ_REMOVE(&o->states, s, beside);
	o->weight -= STATE_BASE + s->bytes;
	if (!TAILQ_EMPTY(&o->states))
		return;
	tdelete(o, &owners_by_number, ask_state_compare_owners);
	LIST_REMOVE(o, link);
	free(o);
}

static void state_free(struct ask_state *s)
{
	leave_owner(s);
	TAILQ_REMOVE(&states, s, link);
	state_count--;
	state_bytes -= s->bytes;
	str_done(&s->asked);
	str_done(&s->answers);
	free(s);
}

static uint64_t hash(uint64_t seed, const char *text)
{
	for (const char *c = text; *c; c++) /* FNV-1a */
		seed = (seed ^ (unsigned char)*c) * 0x100000001b3u;
	return (seed ^ 0xff) * 0x100000001b3u;
}

/*
 * Hash of the method and of all parameters that identify the request. It need not resist collisions: a client that
 * makes two of its requests collide affects only itself.
 */
static uint64_t request_hash(const struct request *q)
{
	static const char *const parts[] = { "name", "uri", "arguments" };
	uint64_t h = hash(0xcbf29ce484222325u, q->message.method);

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct json *part = json_member(q->message.params, parts[i]);
		_cleanup_(str_done) struct str text = {};

		if (part)
			json_print(&text, part);
		h = hash(h, str_text(&text));
	}
	return h;
}

static void drop_expired(void)
{
	struct ask_state *s;

	while ((s = TAILQ_FIRST(&states)) && s->until < clock_now())
		state_free(s);
}

/* The oldest state of the owner with the most bytes stored: no owner can make the questions of others expire. */
static struct ask_state *find_expendable(void)
{
	const struct asked_owner *o, *most = NULL;

	LIST_FOREACH(o, &owners, link)
		if (!most || o->weight > most->weight ||
		    (o->weight == most->weight && TAILQ_FIRST(&o->states)->until <= TAILQ_FIRST(&most->states)->until))
			most = o;
	return most ? TAILQ_FIRST(&most->states) : NULL;
}

static void ask_state_make_room(size_t wanted)
{
	drop_expired();
	while (state_count >= LIMIT_ASKED_COUNT || (state_count && state_bytes + wanted > LIMIT_ASKED_BYTES))
		state_free(find_expendable());
}

bool ask_state_give(const struct request *q, const struct asking *a, struct str *ret_name)
{
	size_t bytes = a->requests.len + a->answers.len;
	struct ask_state *s;

	if (bytes > LIMIT_ASKED_BYTES / 16)
		return false;
	ask_state_make_room(bytes);
	s = NEW(struct ask_state);
	s->owner = find_or_add_owner(mcp_conn_owner(q->conn));
	s->request = request_hash(q);
	s->until = clock_now() + KEPT_FOR;
	s->bytes = bytes;
	random_name(s->name);
	str_appendf(&s->asked, "{%s}", str_text(&a->requests));
	str_appendf(&s->answers, "{%s}", str_text(&a->answers));
	TAILQ_INSERT_TAIL(&states, s, link);
	TAILQ_INSERT_TAIL(&s->owner->states, s, beside);
	s->owner->weight += STATE_BASE + bytes;
	state_count++;
	state_bytes += bytes;
	str_append(ret_name, s->name);
	return true;
}

static struct json *ask_state_parse(struct str *text)
{
	struct json *v = NULL;

	return json_parse(text->data, text->len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &v) < 0 ? NULL : v;
}

bool ask_state_take(const struct request *q, const char *name, struct asking *a)
{
	struct ask_state *s;

	drop_expired();
	TAILQ_FOREACH(s, &states, link)
		if (!strcmp(s->name, name))
			break;
	if (!s || s->owner->number != mcp_conn_owner(q->conn) || s->request != request_hash(q))
		return false;
	a->asked = ask_state_parse(&s->asked);
	a->earlier = ask_state_parse(&s->answers);
	state_free(s);
	return true;
}
