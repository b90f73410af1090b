/* What calls of the tools do, in words for people (people/arguments.h). */
#pragma once

#include "people/arguments.h"

extern const struct call_words tool_lines[]; /* ends with {} */
