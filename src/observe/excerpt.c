#include "observe/excerpt.h"

#include <string.h>

#include "base/limits.h"

static const char *const *copy_parts(struct arena *a, const char *const *parts)
{
	const char **copy;
	size_t count = 0;

	while (parts && parts[count])
		count++;
	copy = arena_alloc(a, (count + 1) * sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = arena_strdup(a, parts[i]);
	return count ? copy : NULL;
}

struct journal_filter journal_filter_copy(struct arena *a, const struct journal_filter *f)
{
	struct journal_filter copy = *f;

	copy.block = copy_parts(a, f->block);
	copy.allow = copy_parts(a, f->allow);
	return copy;
}

static bool contains_any(const char *url, const char *const *parts)
{
	for (; *parts; parts++)
		if (strstr(url, *parts))
			return true;
	return false;
}

bool journal_filter_passes(const struct journal_filter *f, const struct journal *j, const struct observed *e)
{
	const char *url;

	if (f->kinds && !(f->kinds & e->kind))
		return false;
	if (!(e->kind & OBSERVED_NETWORK) || (!f->block && !f->allow))
		return true;
	url = journal_url(j, e);
	return url && !(f->block && contains_any(url, f->block)) && (!f->allow || contains_any(url, f->allow));
}

size_t journal_filter_text_max(const struct journal_filter *f)
{
	return f->text_max ? f->text_max : LIMIT_OBSERVED_TEXT;
}

const struct observed *journal_excerpt_next(const struct journal *j, const struct journal_excerpt *v, const struct journal_query *q,
					    uint64_t *offset)
{
	const struct observed *e;

	*offset = MAX(*offset, v->begin);
	while (*offset < v->end && (e = journal_next(j, q, offset)) && e->seq < v->end)
		if (!v->filter || journal_filter_passes(v->filter, j, e))
			return e;
	*offset = v->end;
	return NULL;
}
