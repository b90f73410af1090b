/* What the files with events of targets share. */
#pragma once

#include "engine/cdp/cdp.h"
#include "engine/events.h"

extern const struct cdp_event cdp_traffic_events[], cdp_tool_events[];

/* Whether the owner of `s` has this handler. */
#define HEARS(s, group, handler) ((s)->hears && (s)->hears->group && (s)->hears->group->handler)
/* Calls it with these arguments and its data. */
#define REPORT(s, group, handler, ...) \
	do { \
		if (HEARS(s, group, handler)) \
			(s)->hears->group->handler(__VA_ARGS__, (s)->data); \
	} while (0)
