#include "engine/features.h"

const struct engine_feature_name engine_feature_table[] = {
	{ ENGINE_VIDEOS, "videos of pages" },
	{ ENGINE_PAGE_TOOLS, "tools that pages register (WebMCP)" },
	{},
};
