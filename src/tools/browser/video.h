/* The videos that browser_start_video begins: those of all contexts of a session. */
#pragma once

#include "tools/browser/browse.h"

/* Records the pages of a context that was added to the session, if those of the others are being recorded. Suspends. */
int video_add_context(struct browse *b, struct context *c);
