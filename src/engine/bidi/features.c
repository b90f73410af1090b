#include "engine/features.h"

unsigned engine_features(const struct engine_options *o)
{
	return 0;
}

unsigned engine_empty_memory(const struct engine_options *o)
{
	return 340;
}
