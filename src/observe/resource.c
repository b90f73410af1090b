#include "observe/resource.h"

#include <strings.h>

#include "base/macros.h"

enum resource_kind resource_kind_find(const char *word)
{
	static const char *const words[] = {
		[RESOURCE_OTHER] = "other",
		[RESOURCE_DOCUMENT] = "document",
		[RESOURCE_STYLESHEET] = "stylesheet",
		[RESOURCE_SCRIPT] = "script",
		[RESOURCE_XHR] = "xhr",
		[RESOURCE_FETCH] = "fetch",
		[RESOURCE_EVENT_SOURCE] = "eventsource",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasecmp(words[i], word) == 0)
			return (enum resource_kind)i;
	return RESOURCE_OTHER;
}
