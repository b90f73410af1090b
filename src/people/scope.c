#include "people/scope.h"

#include <string.h>

bool scope_sees(const struct scope *s, uint64_t owner, const char *id)
{
	return (s->everyone || s->owner == owner) && (!s->session[0] || !strcmp(s->session, id));
}

bool scope_may_act(const struct scope *s, uint64_t owner, const char *id)
{
	return s->act && scope_sees(s, owner, id);
}

const struct session *scope_next(const struct scope *s, const struct registry *r, const struct session *after, uint64_t *ret_owner)
{
	const struct session *session = after;

	while ((session = registry_next_of_all(r, session, ret_owner)))
		if (scope_sees(s, *ret_owner, session_id(session)))
			return session;
	return NULL;
}

bool scope_find(const struct scope *s, const struct registry *r, const char *id, uint64_t *ret_owner)
{
	const struct session *session = NULL;

	while ((session = scope_next(s, r, session, ret_owner)))
		if (!strcmp(session_id(session), id))
			return true;
	return false;
}
