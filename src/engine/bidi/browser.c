#include "engine/browser.h"

#include "engine/bidi/internal.h"

void engine_close(struct engine_target *root)
{
	bidi_post(root, "browser.close", "{}");
}
