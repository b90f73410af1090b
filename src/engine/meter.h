/* What a page causes: the engine counts it, and who made the meter limits it (page/throttle.h). */
#pragma once

#include "engine/engine.h"

/* What may wait to be sent to a page: the bytes that were queued before `mark`, a position in what is sent, and after it. */
struct engine_backlog {
	uint64_t mark;
	size_t before, after;
};

/*
 * `event` gets each event of the targets that are counted, before its handler does; `moved` gets each message that is sent on the account
 * of the meter (while a handler of these events runs, and by operations that say so), and the replies to those of its own targets. None
 * may end a target, and `moved` and `lost` must not send.
 *
 * The targets of a meter share a backlog.
 */
struct engine_meter {
	struct engine_backlog backlog;
	/* `cost`: the time that the event takes the browser, in that of one which is short and of a usual kind. */
	void (*event)(struct engine_meter *m, struct engine_target *s, double cost);
	void (*moved)(struct engine_meter *m, size_t bytes);
	/* A message without a reply was not sent to one of the targets. The page cannot be used any more. */
	void (*lost)(struct engine_meter *m);
};
/* `m`, which must outlive the target, counts its events from here on. */
void engine_count(struct engine_target *s, struct engine_meter *m);
