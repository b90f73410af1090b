#include "engine/launch.h"

void launch_history_done(struct launch_history *h)
{
	str_done(&h->pipe_reason);
}
