/* The memory of views: what the sessions of one owner keep of the pages that answers have shown. */
#pragma once

#include "session/session.h"

/*
 * To be called after an answer of the session. Where its owner's sessions keep more than LIMIT_OWNER_VIEWS, the largest of it is forgotten
 * first: cursors of other sessions, of which calls say that they are gone, and views of other tabs, after which comes a whole view.
 */
void session_limit_views(struct session *s);
