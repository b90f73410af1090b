#include "browser/recording.h"

#include <string.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "page/frame.h"

static unsigned number_of(struct recording *r, struct page *p)
{
	unsigned i = 0;

	while (i < r->page_count && r->pages[i] != p)
		i++;
	return i;
}

static void recording_add_page(void *part, struct page *p)
{
	struct recording *r = part;

	if (r->page_count == ARRAY_SIZE(r->pages))
		return;
	r->pages[r->page_count++] = page_ref(p);
	page_record_actions(p);
}

static void recorded_free(struct recorded *e)
{
	frame_unref(e->frame);
	json_free(e->action);
	free(e);
}

static bool same(const struct recorded *e, const struct frame *f, const struct json *action, const char *verb)
{
	_cleanup_(str_done) struct str a = {}, b = {};

	if (!e || e->frame != f || strcmp(json_text(e->action, "verb"), verb) != 0)
		return false;
	json_print(&a, json_get(e->action, "steps"));
	json_print(&b, json_get(action, "steps"));
	return strcmp(str_text(&a), str_text(&b)) == 0;
}

/* Whether the last action is a part of the new one, which replaces it. */
static bool is_continued(const struct recorded *last, const struct frame *f, const struct json *action)
{
	const char *verb = json_text(action, "verb");

	if (strcmp(verb, "dblclick") == 0)
		return same(last, f, action, "click");
	return (strcmp(verb, "click") != 0 && strcmp(verb, "press") != 0) && same(last, f, action, verb);
}

static void on_action(struct frame *f, const char *text, void *data)
{
	struct recording *r = data;
	struct recorded *last = TAILQ_LAST(&r->list, recorded_list), *e;
	_cleanup_(json_freep) struct json *action = NULL;

	if (page_is_private(frame_page(f)) ||
	    json_parse(text, strlen(text), LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &action) < 0 ||
	    r->count >= LIMIT_RECORDED_COUNT)
		return;
	if (is_continued(last, f, action)) {
		json_free(last->action);
		last->action = TAKE_PTR(action);
		return;
	}
	e = NEW(struct recorded);
	e->frame = frame_ref(f);
	e->page = number_of(r, frame_page(f));
	e->is_new = e->page >= r->first_new;
	e->action = TAKE_PTR(action);
	TAILQ_INSERT_TAIL(&r->list, e, link);
	r->count++;
}

void context_start_recording(struct context *c)
{
	struct recording *r = NEW(struct recording);
	struct page *p = NULL;

	r->context = c;
	TAILQ_INIT(&r->list);
	context_set_recording(c, r);
	context_pages(c)->on_action = on_action;
	context_pages(c)->on_action_data = r;
	while ((p = context_next_page(c, p)))
		recording_add_page(r, p);
	r->first_new = r->page_count;
}

bool context_is_recording(struct context *c)
{
	return context_recording(c);
}

struct recording *context_stop_recording(struct context *c)
{
	struct recording *r = context_recording(c);

	context_set_recording(c, NULL);
	context_pages(c)->on_action = NULL;
	for (unsigned i = 0; r && i < r->page_count; i++)
		page_post_script(r->pages[i], "stopRecording", "{}");
	return r;
}

struct recording *recording_free(struct recording *r)
{
	struct recorded *e;

	if (!r)
		return NULL;
	while ((e = TAILQ_FIRST(&r->list))) {
		TAILQ_REMOVE(&r->list, e, link);
		recorded_free(e);
	}
	for (unsigned i = 0; i < r->page_count; i++)
		page_unref(r->pages[i]);
	free(r);
	return NULL;
}

static void recording_end(void *part)
{
	recording_free(context_stop_recording(((struct recording *)part)->context));
}

const struct context_part recording_part = { .page_shown = recording_add_page, .free = recording_end };
