#include "engine/tools.h"

void tool_outcome_done(struct tool_outcome *o)
{
	str_done(&o->error);
	o->output = json_free(o->output);
}
