#include "engine/features.h"

unsigned engine_features(const struct engine_options *o)
{
	return ENGINE_VIDEOS | ENGINE_PAGE_TOOLS;
}
