/*
 * What a new session begins with: cookies and storage that the call gives, that stand in a file or were saved under a name, or those that another
 * session of the owner has. A state is what browser/storage.h says.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "loop/task.h"
#include "mcp/server.h"

struct beginning {
	struct json *state;  /* NULL: nothing */
	const char *called;  /* what messages call it, borrowed */
	struct str left_out; /* databases that could not be copied of another session, as storage_collect_all() names them */
};
void beginning_done(struct beginning *b);

/* The name by which saved states know the owner of the call (store/states.h); NULL: none. */
const char *begin_owner(struct mcp_call *call);
/* -ERR_INVALID_PARAMETERS: it cannot be the name of a saved state. Does not suspend. */
int begin_check_name(struct task *t, const char *name);
/* -ERR_STATE_NOT_FOUND, recorded. */
int begin_fail_unknown(struct task *t, const char *name);
/* Whether create_session takes the text for the name of a file, which no saved state has. */
bool begin_names_file(const char *text);

/*
 * Finds what `state` (an object, the name of a file, or of a saved state) or `from` (the id of a session) mean; NULL: not given. Suspends; `ret`
 * is zeroed before, and to be freed also after a failure. -ERR_INVALID_PARAMETERS, -ERR_STATE_NOT_FOUND, -ERR_SESSION_NOT_FOUND.
 */
int begin_find(struct task *t, struct mcp_call *call, const struct json *state, const char *from, struct beginning *ret);
/* Gives it to a session that has just been created, and ends that session if it cannot have it. Suspends. */
int begin_session(struct task *t, struct mcp_call *call, const char *id, const struct beginning *b, int64_t *ret_expires_at);

/* NULL becomes the client's own session. -ERR_SESSION_NOT_FOUND, recorded: it has none yet. Does not suspend. */
int begin_name_session(struct task *t, struct mcp_call *call, const char **id);
/*
 * Appends cookies and storage of a session, for which it waits for its turn; `left_out` as above. `ret_site` gets the origin of its page in the
 * task's arena, "": none. Suspends.
 */
int begin_collect(struct task *t, struct mcp_call *call, const char *id, struct str *out, struct str *left_out,
		  const char **ret_site);
/* Parses the text of a state; `what` names it in the failure. Suspends: a large one takes several turns of the loop. */
int begin_parse(struct task *t, const char *what, const struct str *text, struct json **ret);
