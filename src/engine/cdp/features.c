#include "engine/features.h"

unsigned engine_features(const struct engine_options *o)
{
	return ENGINE_VIDEOS | ENGINE_PAGE_TOOLS | ENGINE_PHONES | ENGINE_MEDIA | ENGINE_SCRIPTS_OFF | ENGINE_CSP_OFF |
	       ENGINE_ORIGIN_LIMITS | ENGINE_REST | ENGINE_RARE_PERMISSIONS | ENGINE_CERTIFICATES | ENGINE_PROCESSES;
}

unsigned engine_empty_memory(const struct engine_options *o)
{
	return 54;
}
