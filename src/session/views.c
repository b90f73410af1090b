#include "session/views.h"

#include "base/limits.h"
#include "session/internal.h"

/* What a session keeps of one tab, or by its cursors. */
struct kept {
	struct session *session;
	struct tab *tab; /* NULL: by its cursors */
	size_t bytes;
};

static void consider(struct kept *largest, struct session *s, struct tab *tab, size_t bytes)
{
	if (bytes > largest->bytes)
		*largest = (struct kept){ s, tab, bytes };
}

/* The bytes that all sessions of the owner of `in_use` keep. `largest`: the most that can be dropped, without what an answer has just shown. */
static size_t look(const struct session *in_use, struct kept *largest)
{
	size_t sum = 0;
	struct session *s;
	struct tab *tab;

	*largest = (struct kept){};
	TAILQ_FOREACH(s, &in_use->registry->sessions, link) {
		size_t kept;

		if (s->owner != in_use->owner)
			continue;
		kept = cursors_size(&s->tabs.cursors);
		sum += kept;
		if (s != in_use)
			consider(largest, s, NULL, kept);
		TAILQ_FOREACH(tab, &s->tabs.list, link) {
			size_t bytes = history_size(&tab->views);

			sum += bytes;
			if (s != in_use || tab != s->tabs.current)
				consider(largest, s, tab, bytes);
		}
	}
	return sum;
}

void session_limit_views(struct session *s)
{
	struct kept largest;

	while (s->registry && look(s, &largest) > LIMIT_OWNER_VIEWS && largest.bytes)
		if (largest.tab)
			history_done(&largest.tab->views);
		else
			cursors_done(&largest.session->tabs.cursors);
}
