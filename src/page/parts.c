#include "page/parts.h"

#include "page/internal.h"

#define PAGE_PART(name) [PART_##name] = &name##_part,

const struct page_parts page_parts = {
	.list = { PAGE_PARTS(PAGE_PART) },
	.events = {
		.frames = &page_frame_events,
		.navigations = &page_navigation_events,
		.worlds = &page_world_events,
		.traffic = &page_traffic_events,
		.console = &page_console_events,
		.modals = &page_modal_events,
		.targets = &page_target_events,
		.drags = &page_drag_events,
		.tools = &page_tool_events,
		.journal = record_journal,
	},
};
