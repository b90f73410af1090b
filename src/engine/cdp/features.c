#include "engine/features.h"

unsigned engine_features(void)
{
	return ENGINE_VIDEOS | ENGINE_PAGE_TOOLS;
}
