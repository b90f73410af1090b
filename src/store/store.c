#include "store/store.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "store/internal.h"

#define WORDS_MAX 5

/* A command as it is put together. */
struct words {
	struct resp_word list[WORDS_MAX];
	size_t count;
	bool repeatable;
};

static void add_len(struct words *w, const char *text, size_t len)
{
	w->list[w->count++] = (struct resp_word){ text, len };
}

static void store_add(struct words *w, const char *text)
{
	add_len(w, text, strlen(text));
}

static struct words command(const char *name, bool repeatable)
{
	struct words w = { .repeatable = repeatable };

	store_add(&w, name);
	return w;
}

static struct words command_on(const char *name, const char *key, bool repeatable)
{
	struct words w = command(name, repeatable);

	store_add(&w, key);
	return w;
}

static int call(struct task *t, struct store *s, const struct words *w, struct resp **ret)
{
	return store_call(t, s, w->list, w->count, w->repeatable, ret);
}

/* Commands that answer with a number. */
static int call_for_number(struct task *t, struct store *s, const struct words *w)
{
	_cleanup_(resp_freep) struct resp *reply = NULL;
	int r = call(t, s, w, &reply);

	if (r < 0)
		return r;
	if (reply->kind != RESP_INTEGER || reply->integer < 0 || reply->integer > INT32_MAX)
		return store_wrong_reply(t, s, w->list[0].text);
	return (int)reply->integer;
}

/* Commands that answer with a text or nothing. */
static int call_for_text(struct task *t, struct store *s, const struct words *w, struct str *ret)
{
	_cleanup_(resp_freep) struct resp *reply = NULL;
	int r = call(t, s, w, &reply);

	if (r < 0)
		return r;
	if (reply->kind == RESP_NIL)
		return 0;
	if (reply->kind != RESP_TEXT)
		return store_wrong_reply(t, s, w->list[0].text);
	str_append(&reply->text, "");
	str_move(ret, &reply->text);
	return 1;
}

/* Commands that answer OK, or nothing when their condition is not met. */
static int call_for_status(struct task *t, struct store *s, const struct words *w)
{
	_cleanup_(resp_freep) struct resp *reply = NULL;
	int r = call(t, s, w, &reply);

	if (r < 0)
		return r;
	if (reply->kind != RESP_STATUS && reply->kind != RESP_NIL)
		return store_wrong_reply(t, s, w->list[0].text);
	return reply->kind == RESP_STATUS;
}

/* ---- values ---- */

int store_ping(struct task *t, struct store *s)
{
	const struct words w = command("PING", true);
	int r = call_for_status(t, s, &w);

	return r < 0 ? r : 0;
}

int store_get(struct task *t, struct store *s, const char *key, struct str *ret)
{
	const struct words w = command_on("GET", key, true);

	return call_for_text(t, s, &w, ret);
}

int store_take(struct task *t, struct store *s, const char *key, struct str *ret)
{
	const struct words w = command_on("GETDEL", key, false);

	return call_for_text(t, s, &w, ret);
}

int store_set(struct task *t, struct store *s, const char *key, const char *value, size_t len, unsigned ttl)
{
	struct words w = command_on("SET", key, true);
	char seconds[16];
	int r;

	snprintf(seconds, sizeof(seconds), "%u", ttl);
	add_len(&w, value, len);
	if (ttl) {
		store_add(&w, "EX");
		store_add(&w, seconds);
	}
	r = call_for_status(t, s, &w);
	return r < 0 ? r : 0;
}

int store_delete(struct task *t, struct store *s, const char *key)
{
	const struct words w = command_on("DEL", key, false);

	return call_for_number(t, s, &w);
}

int store_expire(struct task *t, struct store *s, const char *key, unsigned ttl)
{
	struct words w = command_on(ttl ? "EXPIRE" : "PERSIST", key, true);
	char seconds[16];

	snprintf(seconds, sizeof(seconds), "%u", ttl);
	if (ttl)
		store_add(&w, seconds);
	return call_for_number(t, s, &w);
}

/* ---- indexes: hashes ---- */

int store_index_set(struct task *t, struct store *s, const char *key, const char *name, const char *text)
{
	struct words w = command_on("HSET", key, true);
	int r;

	store_add(&w, name);
	store_add(&w, text);
	r = call_for_number(t, s, &w);
	return r < 0 ? r : 0;
}

int store_index_remove(struct task *t, struct store *s, const char *key, const char *name)
{
	struct words w = command_on("HDEL", key, false);

	store_add(&w, name);
	return call_for_number(t, s, &w);
}

/* A list of names and texts in turns. */
static bool is_index(const struct resp *reply)
{
	if (reply->kind != RESP_LIST || reply->count % 2)
		return false;
	for (size_t i = 0; i < reply->count; i++)
		if (reply->items[i]->kind != RESP_TEXT)
			return false;
	return true;
}

int store_index_read(struct task *t, struct store *s, const char *key, struct store_entry **ret)
{
	const struct words w = command_on("HGETALL", key, true);
	_cleanup_(resp_freep) struct resp *reply = NULL;
	struct arena *a = task_arena(t);
	int r = call(t, s, &w, &reply);

	if (r < 0)
		return r;
	if (!is_index(reply))
		return store_wrong_reply(t, s, w.list[0].text);
	*ret = arena_alloc(a, (reply->count / 2 + 1) * sizeof(**ret));
	for (size_t i = 0; i < reply->count / 2; i++)
		(*ret)[i] = (struct store_entry){ arena_strdup(a, str_text(&reply->items[2 * i]->text)),
						  arena_strdup(a, str_text(&reply->items[2 * i + 1]->text)) };
	return (int)(reply->count / 2);
}

/* ---- keys ---- */

void store_append_part(struct str *out, const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("_-", *text))
			str_append_char(out, *text);
		else
			str_appendf(out, "%%%02X", (unsigned char)*text);
}
