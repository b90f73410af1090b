/* What is known about sessions and their pages: look-ups that do not suspend, and change nothing but which page is current. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "session/internal.h"

struct session *registry_find(const struct registry *r, uint64_t owner, const char *id)
{
	struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (s->owner == owner && strcmp(s->id, id) == 0)
			return s;
	return NULL;
}

bool registry_has(const struct registry *r, uint64_t owner, const char *id)
{
	const struct session *s = registry_find(r, owner, id);

	return s && s->created;
}

const struct registry_options *registry_options(const struct registry *r)
{
	return r->options;
}

const struct session_waits *registry_waits(const struct registry *r)
{
	return &r->waits;
}

unsigned registry_count(const struct registry *r)
{
	return r->count;
}

const struct session *registry_next(const struct registry *r, uint64_t owner, const struct session *after)
{
	const struct session *s = after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&r->sessions);

	while (s && (!s->created || s->owner != owner))
		s = TAILQ_NEXT(s, link);
	return s;
}

/* Puts a browser that runs at the end of the list, unless the list has it. Returns the new length. */
static size_t add_running_browser(struct browser **list, size_t count, _nullable_ struct browser *b)
{
	if (!b || !browser_running(b))
		return count;
	for (size_t i = 0; i < count; i++)
		if (list[i] == b)
			return count;
	list[count] = b;
	return count + 1;
}

size_t registry_browsers(const struct registry *r, uint64_t owner, struct browser **ret, size_t max)
{
	const struct session *s = NULL;
	size_t count = 0;

	while (count < max && (s = registry_next(r, owner, s)))
		count = add_running_browser(ret, count, s->browser);
	return count;
}

size_t registry_browsers_of_all(const struct registry *r, struct browser **ret, size_t max)
{
	const struct session *s = NULL;
	uint64_t owner;
	size_t count = 0;

	while (count < max && (s = registry_next_of_all(r, s, &owner)))
		count = add_running_browser(ret, count, s->browser);
	return count;
}

const struct session *registry_next_of_all(const struct registry *r, const struct session *after, uint64_t *ret_owner)
{
	const struct session *s = after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&r->sessions);

	while (s && ((!s->context && !s->sleep) || s->restoring))
		s = TAILQ_NEXT(s, link);
	if (s)
		*ret_owner = s->owner;
	return s;
}

void *registry_data(const struct registry *r, uint64_t owner, const char *id)
{
	const struct session *s = registry_find(r, owner, id);

	return s ? s->plan.data : NULL;
}

const char *registry_base_url(const struct registry *r, uint64_t owner, const char *id)
{
	const struct session *s = registry_find(r, owner, id);

	return s && s->plan.base_url ? s->plan.base_url(s->plan.data) : NULL;
}

struct egress *registry_egress(const struct registry *r, uint64_t owner, const char *id)
{
	const struct session *s = registry_find(r, owner, id);

	return s ? s->egress : NULL;
}

struct page *registry_page(const struct registry *r, uint64_t owner, const char *id)
{
	const struct session *s = registry_find(r, owner, id);

	return s ? session_current_page(s) : NULL;
}

int registry_show_page(struct registry *r, uint64_t owner, const char *id, struct page *p)
{
	struct session *s = registry_find(r, owner, id);
	struct tab *tab;

	if (!s)
		return -ERR_SESSION_NOT_FOUND;
	session_update_tabs(s);
	tab = tabs_find(&s->tabs, p);
	if (!tab)
		return -ESTALE;
	s->tabs.current = tab;
	return 0;
}

struct page *session_next_page(const struct session *s, struct page *after)
{
	struct context *c = after ? page_context(after) : session_next_context(s, NULL);
	struct page *p = c ? context_next_page(c, after) : NULL;

	while (c && !p) {
		c = session_next_context(s, c);
		p = c ? context_next_page(c, NULL) : NULL;
	}
	return p;
}

struct page *registry_next_page(const struct registry *r, uint64_t owner, const char *id, struct page *after)
{
	const struct session *s = registry_find(r, owner, id);

	return s ? session_next_page(s, after) : NULL;
}

_kept_ struct gate *session_gate(struct session *s)
{
	return &s->control.gate;
}

const char *session_id(const struct session *s)
{
	return s->id;
}

uint64_t session_owner(const struct session *s)
{
	return s->owner;
}

int64_t session_created_at(const struct session *s)
{
	return s->created_at;
}

int64_t session_expires_at(const struct session *s)
{
	return s->expires_at;
}

bool session_busy(const struct session *s)
{
	return !TAILQ_EMPTY(&s->visits);
}

const char *const session_state_table[] = { "working", "idle", "resting", "sleeping", NULL };

enum session_state session_state(const struct session *s)
{
	if (session_busy(s))
		return SESSION_WORKING;
	return s->sleep ? SESSION_SLEEPING : s->rests ? SESSION_RESTING : SESSION_IDLE;
}

unsigned registry_count_state(const struct registry *r, enum session_state state)
{
	const struct session *s;
	unsigned n = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		n += session_state(s) == state;
	return n;
}

void *session_recording(const struct session *s)
{
	return s->recording.data;
}

bool session_recording_is_kept(const struct session *s)
{
	return s->recording.kept;
}

struct context *session_context(struct session *s)
{
	return s->tabs.current ? s->tabs.current->context : s->context;
}

struct browser *session_browser(const struct session *s)
{
	return s->browser;
}

struct tabs *session_tabs(struct session *s)
{
	return &s->tabs;
}

struct tab *session_spare_tab(const struct session *s)
{
	struct tab *tab = tabs_count(&s->tabs) == 1 ? s->tabs.current : NULL;

	return tab && s->own && !s->registry->options->persistent && !tab->is_used ? tab : NULL;
}

struct page *session_current_page(const struct session *s)
{
	struct tab *tab = s->tabs.current;

	if (tab && page_alive(tab->page))
		return tab->page;
	return s->context ? context_page(s->context) : NULL;
}

static bool page_matches(const struct page *p, const char *target_id, const char *url_includes)
{
	return target_id ? strcmp(page_target_id(p), target_id) == 0 : strstr(page_url(p), url_includes) != NULL;
}

struct page *session_find_page(const struct session *s, const char *target_id, const char *url_includes)
{
	struct page *p = NULL;

	while ((p = session_next_page(s, p)))
		if (page_matches(p, target_id, url_includes))
			break;
	return p;
}

struct page *registry_find_page(const struct registry *r, uint64_t owner, const char *target_id, const char *url_includes)
{
	const struct session *s;
	struct page *p = NULL;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (s->owner == owner && (p = session_find_page(s, target_id, url_includes)))
			break;
	return p;
}

const char *registry_session_of(const struct registry *r, uint64_t owner, const char *target_id)
{
	const struct session *s = NULL;

	while ((s = registry_next(r, owner, s)))
		if (session_find_page(s, target_id, NULL))
			return session_id(s);
	return NULL;
}

const struct session *registry_find_holder(const struct registry *r, const char *target_id)
{
	const struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (session_find_page(s, target_id, NULL))
			return s;
	return NULL;
}

bool registry_next_notice(const struct registry *r, uint64_t owner, const char *id, struct str *out)
{
	const struct session *s = registry_find(r, owner, id);
	struct context *c = NULL;

	while (s && (c = session_next_context(s, c)))
		if (context_next_notice(c, out))
			return true;
	return false;
}
