/* Execution contexts of frames (isolated worlds and those of the page's own scripts), and what page scripts report from theirs. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/random.h"
#include "page/internal.h"
#include "page/modal.h"

/*
 * The browser keeps a document's worlds beyond the attachment that created them, and finds them by name: with one name for all, a
 * page that is attached to once more, or by several programs, would run the library and use the refs of another attachment.
 */
void page_name_world(struct page *p)
{
	static char process[RANDOM_NAME_SIZE];
	static unsigned count;

	if (!process[0])
		random_name(process);
	snprintf(p->world_name, sizeof(p->world_name), "browserd-%s-%u", process, ++count);
}

static void on_context_created(struct engine_target *s, const struct json *params, void *data)
{
	const struct json *context = json_get(params, "context");
	const char *name = json_str(context, "name");
	struct page *p = data;
	struct frame *f = page_find_frame(p, json_str(context, "auxData.frameId"));

	if (f && json_bool(context, "auxData.isDefault", false)) {
		f->at.page_world = (int)json_int(context, "id", 0);
		waitq_wake(&p->changed);
	}
	if (!f || !name || strcmp(name, p->world_name) != 0)
		return;
	f->at.target = s;
	f->at.own_world = (int)json_int(context, "id", 0);
}

static void on_context_destroyed(struct engine_target *s, const struct json *params, void *data)
{
	struct page *p = data;
	int id = (int)json_int(params, "executionContextId", 0);
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link) {
		if (f->at.target == s && f->at.own_world == id)
			f->at.own_world = 0;
		if (f->at.target == s && f->at.page_world == id)
			f->at.page_world = 0;
	}
}

static void on_contexts_cleared(struct engine_target *s, const struct json *params, void *data)
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

static void take_report(struct page *p, struct engine_target *s, const struct json *params)
{
	int id = (int)json_int(params, "executionContextId", 0);
	const char *text = json_str(params, "payload");
	struct frame *f;

	if (p->handler) { /* a page of browserd's own: its one script talks to the handler */
		if (text && p->handler->message)
			p->handler->message(p->handler, text);
		return;
	}
	if (strcmp(json_text(params, "name"), EXPOSED_BINDING) == 0) {
		if (text)
			exposed_on_call(p, s, id, text);
		return;
	}
	TAILQ_FOREACH(f, &p->frames, link)
		if (f->at.target == s && f->at.own_world == id && text)
			on_frame_report(f, text);
	waitq_wake(&p->changed);
}

/* Only page scripts send what may be long, such as a snapshot; the other bindings can be called by anybody. */
static bool may_be_long(const struct page *p, const char *text, size_t len)
{
	static const char own[] = "\"" SCRIPT_BINDING "\"";
	size_t name_len = 0;
	const char *name = json_raw(text, len, "params.name", &name_len);

	return !p->handler && name && name_len == strlen(own) && memcmp(name, own, name_len) == 0;
}

static void on_report(struct engine_target *s, const char *text, size_t len, void *data)
{
	_cleanup_(json_freep) struct json *message = NULL;
	struct page *p = data;

	if (len > LIMIT_OBSERVED_MESSAGE && !may_be_long(p, text, len))
		log_warning("dropped a message of %zu bytes from a script", len);
	else if (json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &message) == 0)
		take_report(p, s, json_get(message, "params"));
}

const struct cdp_event world_event_table[] = {
	{ "Runtime.executionContextCreated", on_context_created },
	{ "Runtime.executionContextDestroyed", on_context_destroyed },
	{ "Runtime.executionContextsCleared", on_contexts_cleared },
	{ "Runtime.bindingCalled", .raw = on_report, .longest = LIMIT_CDP_MESSAGE },
	{},
};

int frame_world(const struct frame *f)
{
	return f->at.own_world;
}

bool frame_called_library(const struct frame *f)
{
	return f->at.own_world && f->worlds.library == f->at.own_world;
}

int frame_page_world(const struct frame *f)
{
	return f->at.page_world;
}

bool frame_has_listeners_function(const struct frame *f)
{
	return f->worlds.listeners == f->at.page_world;
}

void frame_set_listeners_function(struct frame *f, bool installed)
{
	f->worlds.listeners = installed ? f->at.page_world : 0;
}

enum press_fate frame_press(const struct frame *f)
{
	return f->press;
}

void frame_reset_press(struct frame *f)
{
	f->press = PRESS_UNKNOWN;
}

bool frame_set_receiver(struct frame *f, struct frame_receiver *r)
{
	if (f->receiver)
		return false;
	f->receiver = r;
	return true;
}

void frame_unset_receiver(struct frame *f, struct frame_receiver *r)
{
	if (f->receiver == r)
		f->receiver = NULL;
}
