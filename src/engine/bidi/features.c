#include "engine/features.h"

unsigned engine_features(const struct engine_options *o)
{
	return 0;
}
