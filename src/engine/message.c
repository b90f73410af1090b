#include "engine/message.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"

struct message_type {
	const char *name;
	enum message_kind kind;
	enum message_level level;
};

/* The words of CDP, and those of BiDi, which are the functions of `console`. The first one for a type that is not known. */
static const struct message_type *find_type(const char *name)
{
	static const struct message_type types[] = {
		{ "log", CONSOLE_LOG, MESSAGE_INFO },
		{ "info", CONSOLE_INFO, MESSAGE_INFO },
		{ "warning", CONSOLE_WARNING, MESSAGE_WARNING },
		{ "warn", CONSOLE_WARNING, MESSAGE_WARNING },
		{ "error", CONSOLE_ERROR, MESSAGE_ERROR },
		{ "exception", CONSOLE_ERROR, MESSAGE_ERROR },
		{ "debug", CONSOLE_DEBUG, MESSAGE_DEBUG },
		{ "verbose", CONSOLE_VERBOSE, MESSAGE_DEBUG },
		{ "assert", CONSOLE_ASSERT, MESSAGE_ERROR },
		{ "trace", CONSOLE_TRACE, MESSAGE_DEBUG },
		{ "dir", CONSOLE_DIR, MESSAGE_INFO },
		{ "dirxml", CONSOLE_DIRXML, MESSAGE_INFO },
		{ "table", CONSOLE_TABLE, MESSAGE_INFO },
		{ "clear", CONSOLE_CLEAR, MESSAGE_DEBUG },
		{ "startGroup", CONSOLE_GROUP, MESSAGE_DEBUG },
		{ "group", CONSOLE_GROUP, MESSAGE_DEBUG },
		{ "startGroupCollapsed", CONSOLE_GROUP_COLLAPSED, MESSAGE_DEBUG },
		{ "groupCollapsed", CONSOLE_GROUP_COLLAPSED, MESSAGE_DEBUG },
		{ "endGroup", CONSOLE_GROUP_END, MESSAGE_DEBUG },
		{ "groupEnd", CONSOLE_GROUP_END, MESSAGE_DEBUG },
		{ "profile", CONSOLE_PROFILE, MESSAGE_DEBUG },
		{ "profileEnd", CONSOLE_PROFILE_END, MESSAGE_DEBUG },
		{ "count", CONSOLE_COUNT, MESSAGE_INFO },
		{ "timeEnd", CONSOLE_TIME_END, MESSAGE_INFO },
		{ "timeLog", CONSOLE_TIME_END, MESSAGE_INFO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return &types[0];
}

int engine_position(const struct json *v, const char *path)
{
	double n = json_num(v, path, 0);

	return n == trunc(n) && fabs(n) < 1e9 ? (int)n : 0;
}

struct observed *engine_add_message(struct journal *j, enum observed_kind kind, const char *session, const char *type,
				    const struct json *place)
{
	const struct message_type *found = find_type(type);
	struct observed *e = journal_add(j, kind, session);

	e->url = journal_masked(j, json_text(place, "url"), LIMIT_OBSERVED_URL);
	e->message.kind = found->kind;
	e->message.level = found->level;
	e->message.line = engine_position(place, "lineNumber");
	e->message.column = engine_position(place, "columnNumber");
	return e;
}
