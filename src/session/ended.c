#include "session/ended.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/macros.h"

void ended_add(struct ended_sessions *e, uint64_t owner, const char *id, enum ending ending, usec_t timeout)
{
	struct ended_session *place = &e->places[e->next];

	free(place->id);
	*place = (struct ended_session){ .id = must(strdup(id)), .owner = owner, .ending = ending, .timeout = timeout };
	e->next = (e->next + 1) % LIMIT_EXPIRED_COUNT;
}

static const struct ended_session *ended_find(const struct ended_sessions *e, uint64_t owner, const char *id)
{
	for (unsigned i = 0; i < LIMIT_EXPIRED_COUNT && e->places[i].id; i++)
		if (e->places[i].owner == owner && strcmp(e->places[i].id, id) == 0)
			return &e->places[i];
	return NULL;
}

int ended_fail(struct task *t, const struct ended_sessions *e, uint64_t owner, const char *id)
{
	const struct ended_session *known = ended_find(e, owner, id);

	if (!known)
		return task_fail_because(t, -ERR_SESSION_NOT_FOUND, REASON_SESSION_UNKNOWN, "{session: ?}", id);
	switch (known->ending) {
	case ENDED_UNUSED:
		return task_fail_because(t, -ERR_SESSION_EXPIRED, REASON_SESSION_UNUSED, "{session: ?, msec: ?}", id,
					 known->timeout / USEC_PER_MSEC);
	case ENDED_LIFETIME:
		return task_fail(t, -ERR_SESSION_EXPIRED, "session %s has reached the end of its lifetime; create a new one", id);
	default:
		return task_fail_because(t, -ERR_SESSION_NOT_FOUND, REASON_SESSION_LOST, "{session: ?}", id);
	}
}

void ended_done(struct ended_sessions *e)
{
	for (unsigned i = 0; i < LIMIT_EXPIRED_COUNT; i++)
		free(e->places[i].id);
}
