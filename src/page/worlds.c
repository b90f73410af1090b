/* Execution contexts of frames (isolated worlds and those of the page's own scripts), and what page scripts report from theirs. */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "page/internal.h"
#include "page/modal.h"

/*
 * The browser keeps a document's worlds beyond the attachment that created them, and finds them by name: with one name for all, a
 * page that is attached to once more, or by several programs, would run the library and use the refs of another attachment.
 */
static void name_world(struct page *p)
{
	static char process[RANDOM_NAME_SIZE];
	static unsigned count;

	if (!process[0])
		random_name(process);
	snprintf(p->world_name, sizeof(p->world_name), "browserd-%s-%u", process, ++count);
}

static void on_world_created(struct engine_target *s, const struct engine_world *w, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, w->frame);

	if (f && w->is_page) {
		f->at.page_world = w->id;
		waitq_wake(&p->changed);
	}
	if (!f || strcmp(w->name, p->world_name) != 0)
		return;
	f->at.target = s;
	f->at.own_world = w->id;
}

static void on_world_destroyed(struct engine_target *s, int world, void *data)
{
	struct page *p = data;
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link) {
		if (f->at.target == s && f->at.own_world == world)
			f->at.own_world = 0;
		if (f->at.target == s && f->at.page_world == world)
			f->at.page_world = 0;
	}
}

static void on_worlds_cleared(struct engine_target *s, void *data)
{
	struct page *p = data;
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (f->at.target == s)
			f->at.own_world = f->at.page_world = 0;
}

/* "press blocked" and "press arrived" of scripts/arrival.js, "snapshot NUMBER TEXT" of scripts/snapshot.js, "action JSON" of scripts/recorder.js,
 * "clipboard ..." of scripts/functions/clipboard.js, "pointer" of scripts/functions/pointerlock.js. */
static void on_frame_report(struct frame *f, const char *text)
{
	static const char snapshot[] = "snapshot ", action[] = "action ", clipboard[] = "clipboard ";
	const struct page_group *group = f->page->group;

	if (strncmp(text, action, strlen(action)) == 0) {
		if (group && group->on_action)
			group->on_action(f, text + strlen(action), group->on_action_data);
		return;
	}
	if (strcmp(text, "pointer") == 0) {
		page_note_refused(f->page, REFUSED_POINTER);
		return;
	}
	if (strncmp(text, clipboard, strlen(clipboard)) == 0) {
		clipboard_on_report(f, text + strlen(clipboard));
		return;
	}
	if (strncmp(text, snapshot, strlen(snapshot)) != 0) {
		f->press = strcmp(text, "press blocked") == 0 ? PRESS_BLOCKED : PRESS_ARRIVED;
		return;
	}
	throttle_except(f->page, strlen(text));
	if (f->receiver)
		f->receiver->piece(f->receiver, text + strlen(snapshot));
}

static void on_message(struct engine_target *s, const struct engine_message *m, void *data)
{
	struct page *p = data;
	struct frame *f;

	if (p->handler) { /* a page of browserd's own: its one script talks to the handler */
		if (p->handler->message)
			p->handler->message(p->handler, m->text);
		return;
	}
	if (strcmp(m->function, EXPOSED_BINDING) == 0) {
		exposed_on_call(p, s, m->world, m->text);
		return;
	}
	TAILQ_FOREACH(f, &p->frames, link)
		if (f->at.target == s && f->at.own_world == m->world)
			on_frame_report(f, m->text);
	waitq_wake(&p->changed);
}

/* Only page scripts send what may be long, such as a snapshot; the other functions can be called by anybody. */
static bool may_be_long(const char *function, size_t len, void *data)
{
	const struct page *p = data;

	return !p->handler && len == strlen(SCRIPT_BINDING) && memcmp(function, SCRIPT_BINDING, len) == 0;
}

const struct engine_world_events page_world_events = {
	.created = on_world_created,
	.destroyed = on_world_destroyed,
	.cleared = on_worlds_cleared,
	.message = on_message,
	.may_be_long = may_be_long,
};

const struct page_part worlds_part = {
	.init = name_world,
};
