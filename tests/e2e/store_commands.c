/*
 * What a task does with the state store, by lines: store_commands URL [PASSWORD [AUTHORITIES]]. A line of stdin is an array such as
 * ["set", KEY, VALUE, TTL]; its answer is [RESULT, TEXT]: the result of the function, and the value or the words of the failure. Lines run
 * at the same time, and end with stdin. "fill" sets so many bytes, "length" reads a value and answers how many.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "loop/failure_words.h"
#include "loop/lineio.h"
#include "store/store.h"

static struct loop *loop;
static struct store *store;
static struct lineio *lines;
static unsigned running;
static bool ended;

struct step {
	struct json *words;
	struct str text;
};

static const char *word(const struct step *s, int at)
{
	const struct json *w = json_first(s->words);

	while (at-- > 0)
		w = json_next(w);
	return json_text(w, NULL);
}

static unsigned number(const struct step *s, int at)
{
	return (unsigned)strtoul(word(s, at), NULL, 10);
}

static int fill(struct task *t, const struct step *s)
{
	_cleanup_(str_done) struct str value = {};
	size_t len = number(s, 2);

	str_reserve(&value, len);
	memset(value.data, 'x', len);
	return store_set(t, store, word(s, 1), value.data, len, 0);
}

static int length(struct task *t, struct step *s)
{
	_cleanup_(str_done) struct str value = {};
	int r = store_get(t, store, word(s, 1), &value);

	str_append_uint(&s->text, value.len);
	return r;
}

static int read_index(struct task *t, struct step *s)
{
	struct store_entry *entries;
	int count = store_index_read(t, store, word(s, 1), &entries);

	for (int i = 0; i < count; i++)
		str_appendf(&s->text, "%s=%s;", entries[i].name, entries[i].text);
	return count;
}

static int run(struct task *t, void *data)
{
	struct step *s = data;
	const char *name = word(s, 0), *key = word(s, 1), *value = word(s, 2);

	if (!strcmp(name, "ping"))
		return store_ping(t, store);
	if (!strcmp(name, "get"))
		return store_get(t, store, key, &s->text);
	if (!strcmp(name, "take"))
		return store_take(t, store, key, &s->text);
	if (!strcmp(name, "set"))
		return store_set(t, store, key, value, strlen(value), number(s, 3));
	if (!strcmp(name, "delete"))
		return store_delete(t, store, key);
	if (!strcmp(name, "expire"))
		return store_expire(t, store, key, number(s, 2));
	if (!strcmp(name, "index_set"))
		return store_index_set(t, store, key, value, word(s, 3));
	if (!strcmp(name, "index_remove"))
		return store_index_remove(t, store, key, value);
	if (!strcmp(name, "index_read"))
		return read_index(t, s);
	return strcmp(name, "fill") ? length(t, s) : fill(t, s);
}

static void stop_if_over(void)
{
	if (ended && running == 0)
		loop_stop(loop);
}

static void on_done(struct task *t, int r, void *data)
{
	_cleanup_(str_done) struct str line = {};
	struct step *s = data;
	const char *message = failure_words(t, task_error(t));

	str_json(&line, "[?, ?]", r < 0 ? -1 : r, r < 0 && message ? message : str_text(&s->text));
	lineio_send(lines, line.data, line.len);
	json_free(s->words);
	str_done(&s->text);
	free(s);
	running--;
	stop_if_over();
}

static void on_line(char *text, size_t len, void *data)
{
	struct step *s = NEW(struct step);

	must(json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &s->words) == 0 ? s : NULL);
	must(task_start(loop, "step", run, on_done, s, NULL) == 0 ? s : NULL);
	running++;
}

static void on_oversize(void *data)
{
}

static void on_ended(enum lineio_end end, const char *reason, void *data)
{
	ended = true;
	stop_if_over();
}

int main(int argc, char **argv)
{
	static const struct lineio_handler handler = { on_line, on_oversize, on_ended };
	const struct store_options options = { .url = argv[1],
					       .password = argc > 2 && *argv[2] ? argv[2] : NULL,
					       .authorities = argc > 3 ? argv[3] : NULL };

	if (!store_is_built())
		return 77;
	signal(SIGPIPE, SIG_IGN);
	must(loop_new(&loop) == 0 ? loop : NULL);
	store = store_new(loop, &options);
	must(lineio_new(loop, STDIN_FILENO, STDOUT_FILENO, &handler, NULL, &lines) == 0 ? lines : NULL);
	loop_run(loop);
	lineio_flush(lines, 5000);
	lineio_free(lines);
	store_free(store);
	loop_free(loop);
	return 0;
}
