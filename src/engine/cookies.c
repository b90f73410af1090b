#include "engine/cookies.h"

#include <stdlib.h>

#include "base/json.h"

void cookies_done(struct cookies *c)
{
	free(c->items);
	json_freep(&c->reply);
}
