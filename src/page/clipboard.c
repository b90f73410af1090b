#include "page/clipboard.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/script.h"
#include "page/internal.h"
#include "scripts/scripts.h"

static void clipboard_group_done(struct page_group *g)
{
	str_done(&g->clipboard.origin);
	str_done(&g->clipboard.items);
}

/* The script of the isolated world runs in the initial document of a window, too, which the page can use. */
static void clipboard_send_scripts(const struct group_clipboard *c, const struct page *p, struct engine_target *s)
{
	_cleanup_(str_done) struct str source = {}, names = {};

	str_appendf(&source, "(%s)(", clipboard_script);
	str_json(&source, "{read: ?, write: ?, origin: ?, channel: ?}", c->grants.read, c->grants.write, str_text(&c->origin),
		 c->channel);
	str_append_char(&source, ')');
	engine_add_script(s, source.data, p->world_name);
	if (!c->grants.read && !c->grants.write)
		return;
	str_reset(&source);
	str_append(&names, c->grants.read ? "'clipboard-read'," : "");
	str_append(&names, c->grants.write ? "'clipboard-write'" : "");
	str_appendf(&source, "(%s)('%s', [%s])", page_clipboard_script, c->channel, str_text(&names));
	engine_add_script(s, source.data, NULL);
}

bool clipboard_prepare(const struct page *p, struct engine_target *s)
{
	if (!p->group || !p->group->clipboard.own)
		return false;
	clipboard_send_scripts(&p->group->clipboard, p, s);
	return true;
}

void page_group_own_clipboard(struct page_group *g)
{
	g->clipboard.own = true;
}

void page_group_grant_clipboard(struct page_group *g, const struct clipboard_grants *grants, const char *origin)
{
	struct group_clipboard *c = &g->clipboard;
	struct child_target *child;
	struct page *p;

	if (!c->own ||
	    (grants->read == c->grants.read && grants->write == c->grants.write && strcmp(origin, str_text(&c->origin)) == 0))
		return;
	c->grants = *grants;
	str_set(&c->origin, origin);
	if (!c->channel[0])
		random_name(c->channel);
	TAILQ_FOREACH(p, &g->pages, link) {
		clipboard_send_scripts(c, p, p->target);
		TAILQ_FOREACH(child, &p->children, link)
			if (!child->is_worker)
				clipboard_send_scripts(c, p, child->target);
	}
}

bool clipboard_takes_grant(const struct page_group *g, const char *permission, struct clipboard_grants *grants)
{
	bool read = strcmp(permission, "clipboard-read") == 0, write = strcmp(permission, "clipboard-write") == 0;

	grants->read |= read;
	grants->write |= write;
	return g->clipboard.own && (read || write);
}

/* The text goes to a document once, however often it has asked for it. */
static void answer_frame(struct frame *f, const struct group_clipboard *c)
{
	const struct frame_reading asked = f->reading;
	struct page_answer *a;

	f->reading.number = 0;
	if (!f->at.target || f->at.own_world != asked.world) /* that document has gone */
		return;
	a = page_answer_new(f->page, ANSWER_TO_SCRIPT);
	page_answer_sent(a, engine_answer_call(f->at.target, &a->call, asked.world,
					       "(number, text) => globalThis.browserdClipboard?.answer(number, text)", asked.number,
					       c->items.len ? c->items.data : "[]", page_answer_taken, a));
}

/* The documents that wait for the text, as many as the page takes (page/answers.h). */
static void answer_page(struct page *p)
{
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link) {
		if (!f->reading.number)
			continue;
		if (!page_takes_answers(p, ANSWER_TO_SCRIPT))
			return;
		answer_frame(f, &p->group->clipboard);
	}
}

/* "write JSON": the document has copied this; "read NUMBER": it asks for what was copied last. */
void clipboard_on_report(struct frame *f, const char *text)
{
	static const char write[] = "write ", read[] = "read ";
	struct group_clipboard *c = f->page->group ? &f->page->group->clipboard : NULL;

	if (!c || !c->own)
		return;
	if (starts_with(text, write) && strlen(text) <= LIMIT_CLIPBOARD) {
		str_set(&c->items, text + strlen(write));
		c->copies++;
	}
	if (!starts_with(text, read))
		return;
	f->reading = (struct frame_reading){ .world = f->at.own_world, .number = atoi(text + strlen(read)) };
	answer_page(f->page);
}

bool page_exchange_clipboard(struct page *p, struct str *items)
{
	struct group_clipboard *c = p->group ? &p->group->clipboard : NULL;
	struct str before;

	if (!c || !c->own)
		return false;
	before = c->items;
	c->items = *items;
	*items = before;
	return true;
}

uint64_t page_copies(const struct page *p)
{
	return p->group ? p->group->clipboard.copies : 0;
}

void page_copied_text(const struct page *p, struct str *out)
{
	const struct str *items = p->group ? &p->group->clipboard.items : NULL;
	_cleanup_(json_freep) struct json *list = NULL;

	if (!items || !items->len || json_parse(items->data, items->len, 8, JSON_REPLACE_UNREPRESENTABLE, &list) < 0)
		return;
	json_foreach(item, list) {
		const char *type = json_text(json_first(item), NULL);

		if (strcmp(type, "text/plain") == 0)
			str_append(out, json_text(json_next(json_first(item)), NULL));
	}
}

const struct page_part clipboard_part = {
	.group_done = clipboard_group_done,
	.go_on = answer_page,
};
