/* What the connection needs of casts. */
#pragma once

#include <stdbool.h>

#include "engine/cdp/cdp.h"

/* Whether an attachment to the target with this id, which is reported, was made for a cast. */
bool cdp_cast_expects(struct engine_target *root, const char *target);
