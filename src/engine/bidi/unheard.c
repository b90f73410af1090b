/* Events that nothing is made of yet. */
#include "engine/bidi/internal.h"

void bidi_on_network_event(struct bidi *c, const char *name, const struct json *params)
{
}

void bidi_on_log_event(struct bidi *c, const char *name, const struct json *params)
{
}
