/* What a person has changed who had control of a session: for the answer of the next call. */
#include <string.h>

#include "base/display.h"
#include "session/internal.h"

void control_note_pages(struct session *s)
{
	const struct page *current = session_current_page(s);
	struct control *c = &s->control;
	const struct tab *tab;

	session_update_tabs(s);
	str_reset(&c->pages);
	str_reset(&c->url);
	c->page_count = 0;
	TAILQ_FOREACH(tab, &s->tabs.list, link) {
		str_appendf(&c->pages, " %s", page_target_id(tab->page));
		c->page_count++;
	}
	str_append(&c->url, current ? page_url(current) : "");
}

/* Ids of targets have no blanks, and none is the beginning of another one. */
static bool was_there(const struct control *c, const struct page *p)
{
	_cleanup_(str_done) struct str id = {};

	str_appendf(&id, " %s", page_target_id(p));
	return strstr(str_text(&c->pages), id.data);
}

static void append_count(struct str *out, unsigned count, const char *what)
{
	if (count)
		str_appendf(out, ", %u tab%s %s %s", count, count == 1 ? "" : "s", count == 1 ? "was" : "were", what);
}

static void append_changes(const struct session *s, struct str *out)
{
	const struct page *current = session_current_page(s);
	unsigned opened = 0, kept = 0;
	const struct tab *tab;

	TAILQ_FOREACH(tab, &s->tabs.list, link)
		if (was_there(&s->control, tab->page))
			kept++;
		else
			opened++;
	if (strcmp(str_text(&s->control.url), current ? page_url(current) : "") != 0)
		str_append(out, ", the page is at another address");
	append_count(out, opened, "opened");
	append_count(out, s->control.page_count - kept, "closed");
}

void control_announce_changes(struct session *s)
{
	unsigned seconds = (unsigned)((clock_now() - s->control.gate.closed_at) / USEC_PER_SEC);
	_cleanup_(str_done) struct str text = {};

	session_update_tabs(s);
	str_append(&text, "A person");
	if (s->control.name[0]) {
		str_append(&text, " (");
		display_line(&text, s->control.name);
		str_append_char(&text, ')');
	}
	str_appendf(&text, " had control of this session for %u s", seconds);
	append_changes(s, &text);
	str_append(&text, ". What you have seen of the page may have changed.");
	s->control.handed_back = true;
	if (s->context)
		context_announce(s->context, text.data);
}

bool session_take_handed_back(struct session *s)
{
	bool handed_back = s->control.handed_back;

	s->control.handed_back = false;
	return handed_back;
}
