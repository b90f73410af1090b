/* Which parts contexts and browsers have, and what a browser reports to them. */
#include "browser/parts.h"

#include "browser/blob_limit.h"
#include "browser/internal.h"

#define CONTEXT_PART(name) [CONTEXT_##name] = &name##_part,
#define BROWSER_PART(name) [BROWSER_##name] = &name##_part,

static const struct parts parts = {
	.of_context = { CONTEXT_PARTS(CONTEXT_PART) },
	.of_browser = { BROWSER_PARTS(BROWSER_PART) },
	.events = {
		.attached = contexts_on_attached,
		.detached = contexts_on_detached,
		.download_begun = downloads_on_begun,
		.download_progress = downloads_on_progress,
		.blobs = blob_limit_on_blobs,
		.blobs_counted = blob_limit_on_counted,
	},
};

struct browser *browser_new(struct loop *l, const struct browser_options *options, void (*died)(struct browser *b, void *data),
			    void *data)
{
	return browser_of_parts(l, options, &parts, died, data);
}
