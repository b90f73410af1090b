/* What the words of failures (base/reasons.h) call the tools that help, for failure_words_use(). */
#pragma once

#include "base/failure.h"

extern const struct hint tool_hints[]; /* ends with {} */
