#include "engine/find.h"

#include <stdlib.h>

void engine_choice_done(struct engine_choice *choice)
{
	free(choice->program);
	free(choice->wrapper);
	free(choice->reason);
	free(choice->no_sandbox_reason);
	free(choice->sandbox_warning);
	*choice = (struct engine_choice){};
}
