/*
 * The processes of Firefox. It does not say which of them runs a page (engine_ask_process() fails), so none is ever stopped or ended for what a
 * page does, and the memory of pages is not known.
 */
#include "engine/processes.h"

#include "engine/bidi/internal.h"

/* No process of Firefox has the second one: what draws is not looked for. */
const char *engine_process_argument(const struct engine_target *s, enum engine_process kind)
{
	return kind == ENGINE_RENDERER ? "-isForBrowser" : "browserd-graphics";
}

const char *engine_drawing_thread(const struct engine_target *s)
{
	return "Compositor";
}

int engine_ask_sign(struct engine_target *root, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		    void *data)
{
	return bidi_request(root, call, replied, data, 0, "session.status", "{}");
}
