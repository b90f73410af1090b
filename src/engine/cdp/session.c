/* The sessions of a connection: its attachments to targets. */
#include <errno.h>
#include <search.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/cdp/internal.h"
#include "engine/events.h"
#include "engine/operations.h"

static int compare_sessions(const void *a, const void *b)
{
	const struct engine_target *s = a, *t = b;

	return s->id_len != t->id_len ? (s->id_len < t->id_len ? -1 : 1) : memcmp(s->id, t->id, s->id_len);
}

/* Each message of the browser looks one up, and pages can make as many as there may be by their workers and frames. */
struct engine_target *cdp_find_session(struct cdp *c, const char *id, size_t len)
{
	struct engine_target wanted = { .id_len = len };
	struct engine_target **found;

	if (len == 0)
		return c->root;
	if (len >= ENGINE_ID_SIZE)
		return NULL;
	memcpy(wanted.id, id, len);
	found = tfind(&wanted, &c->by_id, compare_sessions);
	return found ? *found : NULL;
}

struct engine_target *cdp_session_add(struct cdp *c, const char *id, const struct cdp_event *events, void *data)
{
	struct engine_target *s = NEW(struct engine_target);

	*s = (struct engine_target){ .engine = &cdp_engine, .connection = c, .events = events, .data = data, .id_len = strlen(id) };
	memcpy(s->id, id, s->id_len + 1);
	TAILQ_INIT(&s->calls);
	TAILQ_INSERT_TAIL(&c->sessions, s, link);
	must(tsearch(s, &c->by_id, compare_sessions));
	c->session_count++;
	return s;
}

void cdp_session_remove(struct engine_target *s)
{
	struct cdp *c = s->connection;

	if (c->charged == s->meter) /* which may end with the session */
		c->charged = NULL;
	TAILQ_REMOVE(&c->sessions, s, link);
	tdelete(s, &c->by_id, compare_sessions);
	c->session_count--;
	s->connection = NULL;
}

void cdp_session_listen(struct engine_target *s, const struct cdp_event *events, void *data)
{
	s->events = events;
	s->data = data;
}

void engine_count(struct engine_target *s, struct engine_meter *m)
{
	s->meter = m;
}

struct engine_target *cdp_session_new(struct cdp *c, const char *session_id, const struct cdp_event *events, void *data)
{
	if (!engine_id_is_valid(session_id) || cdp_find_session(c, session_id, strlen(session_id)))
		return NULL;
	if (c->session_count >= LIMIT_CDP_SESSIONS_COUNT) {
		log_warning("there are %u attachments to targets of the browser: no further one is used", c->session_count);
		return NULL;
	}
	return cdp_session_add(c, session_id, events, data);
}

struct engine_target *engine_target_free(struct engine_target *s)
{
	if (!s)
		return NULL;
	cdp_session_fail_calls(s, -ESTALE);
	if (s->connection)
		cdp_session_remove(s);
	free(s);
	return NULL;
}

const char *engine_target_id(const struct engine_target *s)
{
	return s->id;
}

struct cdp *cdp_session_connection(struct engine_target *s)
{
	return s->connection;
}

void cdp_session_refuse(struct engine_target *parent, const char *session_id)
{
	struct engine_target refused = { .engine = &cdp_engine, .connection = parent->connection };

	if (!engine_id_is_valid(session_id) || cdp_find_session(parent->connection, session_id, strlen(session_id)))
		return;
	memcpy(refused.id, session_id, strlen(session_id) + 1);
	cdp_post(&refused, "Runtime.runIfWaitingForDebugger", "{}");
	cdp_post(parent, "Target.detachFromTarget", "{sessionId: ?}", session_id);
}
