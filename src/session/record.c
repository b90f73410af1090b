/* The record of a session, which a recorder makes. How it ends is in record_end.c. */
#include "session/record.h"

#include <string.h>

#include "session/internal.h"

/* 0: it is none. */
static unsigned record_kind_of(const char *name, size_t len)
{
	if (len != 5)
		return 0;
	return strncmp(name, "video", len) == 0 ? RECORD_VIDEO : strncmp(name, "trace", len) == 0 ? RECORD_TRACE : 0;
}

bool record_kinds(const char *text, unsigned *ret)
{
	unsigned kinds = 0, kind;
	size_t len;

	do {
		len = strcspn(text, ",");
		kind = record_kind_of(text, len);
		kinds |= kind;
		text += len;
	} while (kind && *text++ == ',');
	if (!kind)
		return false;
	*ret = kinds;
	return true;
}

void registry_set_recorder(struct registry *r, const struct session_recorder *recorder)
{
	r->recorder = recorder;
}

int session_begin_record(struct task *t, struct session *s, struct context *c)
{
	const struct session_recorder *recorder = s->registry ? s->registry->recorder : NULL;

	if (!recorder || s->record_ends)
		return 0;
	s->recorder = recorder;
	return recorder->begin(t, s, c, recorder->data);
}

void session_set_record(struct session *s, void *record)
{
	s->record = record;
}

void *session_record(const struct session *s)
{
	return s->record;
}

unsigned session_asked_records(const struct session *s)
{
	return s->plan.record;
}

/* ---- the end ---- */

void session_give_record_back(struct session *s, const char *why)
{
	void *record = s->record;

	s->record = NULL;
	if (record)
		s->recorder->end(record, why);
}

void session_drop_record(struct session *s)
{
	session_give_record_back(s, "has ended");
}
