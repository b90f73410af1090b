#include "engine/navigation.h"

#include <stdlib.h>

void page_history_done(struct page_history *h)
{
	free(h->items);
	json_free(h->reply);
	*h = (struct page_history){};
}
