#include "base/error.h"

#include <errno.h>
#include <string.h>

#include "base/macros.h"

static const struct {
	int code;
	const char *name;
} error_table[] = {
	{ ERR_SESSION_NOT_FOUND, "SESSION_NOT_FOUND" },
	{ ERR_SESSION_EXPIRED, "SESSION_EXPIRED" },
	{ ERR_MAX_SESSIONS_REACHED, "MAX_SESSIONS_REACHED" },
	{ ERR_NAVIGATION_FAILED, "NAVIGATION_FAILED" },
	{ ERR_DOWNLOAD, "NAVIGATION_FAILED" },
	{ ERR_ELEMENT_NOT_FOUND, "ELEMENT_NOT_FOUND" },
	{ ERR_ELEMENT_NOT_CLICKABLE, "ELEMENT_NOT_CLICKABLE" },
	{ ERR_ELEMENT_NOT_EDITABLE, "ELEMENT_NOT_EDITABLE" },
	{ ERR_ELEMENT_AMBIGUOUS, "ELEMENT_AMBIGUOUS" },
	{ ERR_REF_NOT_FOUND, "REF_NOT_FOUND" },
	{ ERR_INVALID_SELECTOR, "INVALID_SELECTOR" },
	{ ERR_INVALID_REGEX, "INVALID_REGEX" },
	{ ERR_BROWSER_ERROR, "BROWSER_ERROR" },
	{ ERR_INVALID_PARAMETERS, "INVALID_PARAMETERS" },
	{ ERR_BROWSER_UNREACHABLE, "BROWSER_UNREACHABLE" },
	{ ERR_TARGET_NOT_FOUND, "TARGET_NOT_FOUND" },
	{ ERR_ALREADY_OBSERVING, "ALREADY_OBSERVING" },
	{ ERR_NOT_OBSERVING, "NOT_OBSERVING" },
	{ ERR_BODY_NOT_AVAILABLE, "BODY_NOT_AVAILABLE" },
	{ ERR_SECURITY_BLOCKED, "SECURITY_BLOCKED" },
	{ ERR_CLIENT_CANNOT, "CLIENT_CANNOT_BE_ASKED" },
	{ ERR_NOT_CONFIRMED, "NOT_CONFIRMED" },
	{ EINVAL, "INVALID_PARAMETERS" },
};

const char *error_name(int r)
{
	for (size_t i = 0; i < ARRAY_SIZE(error_table); i++)
		if (error_table[i].code == -r)
			return error_table[i].name;
	return "BROWSER_ERROR";
}

int error_from_name(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(error_table); i++)
		if (!strcmp(error_table[i].name, name))
			return -error_table[i].code;
	return -ERR_BROWSER_ERROR;
}
