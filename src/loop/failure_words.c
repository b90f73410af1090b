#include "loop/failure_words.h"

#include "base/error.h"

static const struct hint *hints;

void failure_words_use(const struct hint *names)
{
	hints = names;
}

/* NULL: what was recorded last is another failure, whose words must not be taken for those of `r`. */
static const struct failure *recorded(const struct task *t, int r)
{
	const struct failure *f = task_failure(t);

	return f->code < 0 && (f->code == r || task_cancelled(t)) ? f : NULL;
}

bool failure_has_words(struct task *t, int r)
{
	const struct failure *f = recorded(t, r);

	return f && (f->reason != REASON_NONE || f->text.len > 0);
}

const char *failure_words_of(struct task *t, const struct failure *f)
{
	_cleanup_(str_done) struct str words = {};

	failure_print(&words, f, hints);
	return words.len ? arena_strdup(task_arena(t), words.data) : error_words(f->code);
}

const char *failure_words(struct task *t, int r)
{
	const struct failure *f = recorded(t, r);

	return f ? failure_words_of(t, f) : error_words(r);
}

const char *failure_details(struct task *t, int r)
{
	_cleanup_(str_done) struct str details = {};

	if (recorded(t, r))
		failure_print_details(&details, recorded(t, r));
	return details.len ? arena_strdup(task_arena(t), details.data) : NULL;
}
