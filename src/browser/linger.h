/*
 * Ends a browser that was started here when its last context has been freed. With a profile on disk the browser ends at once, because
 * another browser may wait for the profile's lock. Without one it ends after browser_options.linger, so that a session that is created
 * until then need not wait for a start.
 */
#pragma once

#include "base/macros.h"

struct linger;

/* A call is about to open a context; the browser stays until it has done so or failed. */
void linger_begin(struct linger *l);
void linger_end(struct linger *l);
/* Something that used the browser has ended: the last caller of this ends the browser, now or later. Does not suspend. */
void linger_look(struct linger *l);
/* Whether contexts are open or being opened, apart from those of matchers that no call uses. */
bool linger_is_used(const struct linger *l);
