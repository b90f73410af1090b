/* The sessions of a connection: its attachments to targets. */
#include <errno.h>
#include <search.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "cdp/internal.h"

bool cdp_id_is_valid(const char *id)
{
	size_t len = id ? strnlen(id, CDP_ID_SIZE) : 0;

	for (size_t i = 0; i < len; i++)
		if (id[i] <= ' ' || id[i] > '~' || id[i] == '"' || id[i] == '\\')
			return false;
	return len > 0 && len < CDP_ID_SIZE;
}

static int compare_sessions(const void *a, const void *b)
{
	const struct cdp_session *s = a, *t = b;

	return s->id_len != t->id_len ? (s->id_len < t->id_len ? -1 : 1) : memcmp(s->id, t->id, s->id_len);
}

/* Each message of the browser looks one up, and pages can make as many as there may be by their workers and frames. */
struct cdp_session *cdp_find_session(struct cdp *c, const char *id, size_t len)
{
	struct cdp_session wanted = { .id_len = len };
	struct cdp_session **found;

	if (len == 0)
		return c->root;
	if (len >= CDP_ID_SIZE)
		return NULL;
	memcpy(wanted.id, id, len);
	found = tfind(&wanted, &c->by_id, compare_sessions);
	return found ? *found : NULL;
}

struct cdp_session *cdp_session_add(struct cdp *c, const char *id, const struct cdp_event *events, void *data)
{
	struct cdp_session *s = NEW(struct cdp_session);

	*s = (struct cdp_session){ .connection = c, .events = events, .data = data, .id_len = strlen(id) };
	memcpy(s->id, id, s->id_len + 1);
	TAILQ_INIT(&s->calls);
	TAILQ_INSERT_TAIL(&c->sessions, s, link);
	must(tsearch(s, &c->by_id, compare_sessions));
	c->session_count++;
	return s;
}

void cdp_session_remove(struct cdp_session *s)
{
	struct cdp *c = s->connection;

	if (c->charged == s->meter) /* which may end with the session */
		c->charged = NULL;
	TAILQ_REMOVE(&c->sessions, s, link);
	tdelete(s, &c->by_id, compare_sessions);
	c->session_count--;
	s->connection = NULL;
}

void cdp_session_listen(struct cdp_session *s, const struct cdp_event *events, void *data)
{
	s->events = events;
	s->data = data;
}

void cdp_session_count(struct cdp_session *s, struct cdp_meter *m)
{
	s->meter = m;
}

void cdp_charge_again(struct cdp_session *s, struct cdp_meter *before)
{
	if (s->connection)
		s->connection->charged = before;
}

struct cdp_meter *cdp_charge(struct cdp_session *s)
{
	struct cdp_meter *before = s->connection ? s->connection->charged : NULL;

	cdp_charge_again(s, s->meter);
	return before;
}

struct cdp_session *cdp_session_new(struct cdp *c, const char *session_id, const struct cdp_event *events, void *data)
{
	if (!cdp_id_is_valid(session_id) || cdp_find_session(c, session_id, strlen(session_id)))
		return NULL;
	if (c->session_count >= LIMIT_CDP_SESSIONS_COUNT) {
		log_warning("there are %u attachments to targets of the browser: no further one is used", c->session_count);
		return NULL;
	}
	return cdp_session_add(c, session_id, events, data);
}

struct cdp_session *cdp_session_free(struct cdp_session *s)
{
	if (!s)
		return NULL;
	cdp_session_fail_calls(s, -ESTALE);
	if (s->connection)
		cdp_session_remove(s);
	free(s);
	return NULL;
}

const char *cdp_session_id(const struct cdp_session *s)
{
	return s->id;
}

struct cdp *cdp_session_connection(struct cdp_session *s)
{
	return s->connection;
}

void cdp_session_refuse(struct cdp_session *parent, const char *session_id)
{
	struct cdp_session refused = { .connection = parent->connection };

	if (!cdp_id_is_valid(session_id) || cdp_find_session(parent->connection, session_id, strlen(session_id)))
		return;
	memcpy(refused.id, session_id, strlen(session_id) + 1);
	cdp_post(&refused, "Runtime.runIfWaitingForDebugger", "{}");
	cdp_post(parent, "Target.detachFromTarget", "{sessionId: ?}", session_id);
}
