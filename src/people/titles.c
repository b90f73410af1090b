#include "people/titles.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "people/shown.h"

#define TITLES_TIMEOUT (3 * USEC_PER_SEC)

struct title {
	char *id, *text;
};

struct titles {
	struct loop *loop;
	struct app *app;
	void (*changed)(void *data);
	void *data;
	struct task *task; /* NULL: none reads */
	usec_t read_at;
	struct title *items; /* in the order of their ids */
	size_t count;
};

static int titles_compare(const void *a, const void *b)
{
	return strcmp(((const struct title *)a)->id, ((const struct title *)b)->id);
}

static void titles_clear(struct titles *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->items[i].id);
		free(t->items[i].text);
	}
	free(t->items);
	t->items = NULL;
	t->count = 0;
}

static void titles_take(struct titles *t, const struct target_list *list)
{
	titles_clear(t);
	t->items = must(calloc(list->count + 1, sizeof(*t->items)));
	for (size_t i = 0; i < list->count; i++) {
		struct str shown = {};

		if (list->items[i].kind != TARGET_PAGE)
			continue;
		shown_text(&shown, list->items[i].title, LIMIT_SEEN_TITLE);
		t->items[t->count++] = (struct title){ must(strdup(list->items[i].id)), str_take(&shown) };
	}
	qsort(t->items, t->count, sizeof(*t->items), titles_compare);
}

static int titles_read(struct task *task, void *data)
{
	struct titles *t = data;
	struct browser *browsers[LIMIT_ENDPOINTS_COUNT + 2];
	_cleanup_(target_list_done) struct target_list list = {};
	size_t count = registry_browsers_of_all(t->app->registry, browsers, ARRAY_SIZE(browsers));
	int r;

	if (!count)
		return 0;
	task_set_deadline(task, clock_now() + TITLES_TIMEOUT);
	r = browsers_targets(task, browsers, count, &list);
	if (r == 0)
		titles_take(t, &list);
	return r;
}

static void titles_on_read(struct task *task, int r, void *data)
{
	struct titles *t = data;

	t->task = NULL;
	t->read_at = clock_now();
	if (r == 0 && t->changed)
		t->changed(t->data);
}

void titles_refresh(struct titles *t)
{
	if (!t->task && clock_now() - t->read_at >= TITLES_EVERY)
		(void)task_start(t->loop, "titles of pages", titles_read, titles_on_read, t, &t->task);
}

const char *titles_find(const struct titles *t, const char *target_id)
{
	const struct title key = { .id = (char *)target_id };
	const struct title *found = t->count ? bsearch(&key, t->items, t->count, sizeof(key), titles_compare) : NULL;

	return found ? found->text : "";
}

struct titles *titles_new(struct loop *l, struct app *app, void (*changed)(void *data), void *data)
{
	struct titles *t = NEW(struct titles);

	*t = (struct titles){ .loop = l, .app = app, .changed = changed, .data = data };
	return t;
}

struct titles *titles_free(struct titles *t)
{
	if (!t)
		return NULL;
	t->changed = NULL;
	if (t->task)
		task_cancel(t->task, -ECANCELED, "nobody looks any more");
	while (t->task)
		loop_step(t->loop);
	titles_clear(t);
	free(t);
	return NULL;
}
