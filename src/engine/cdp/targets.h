/* Events of the Target domain as structs, borrowed from the event. */
#pragma once

#include "engine/targets.h"

/* Of CDP's TargetInfo. */
struct target_info cdp_read_target(const struct json *info);
/* Of Target.attachedToTarget. False: the event is of no use. */
bool cdp_read_attachment(const struct json *params, struct engine_attachment *ret);
