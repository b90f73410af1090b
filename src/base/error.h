/*
 * Error codes. Functions return 0 (or a count) or a negative code: an errno value or one of these, which clients see by
 * name. error_name() is the only mapping from a code to its public name.
 */
#pragma once

enum error {
	ERR_FIRST = 4096, /* above every errno */
	ERR_SESSION_NOT_FOUND,
	ERR_SESSION_EXPIRED,
	ERR_MAX_SESSIONS_REACHED,
	ERR_NAVIGATION_FAILED,
	ERR_DOWNLOAD, /* a navigation that became a download; clients see NAVIGATION_FAILED */
	ERR_ELEMENT_NOT_FOUND,
	ERR_ELEMENT_NOT_CLICKABLE,
	ERR_ELEMENT_NOT_EDITABLE,
	ERR_ELEMENT_AMBIGUOUS,
	ERR_REF_NOT_FOUND,
	ERR_INVALID_SELECTOR,
	ERR_INVALID_REGEX,
	ERR_BROWSER_ERROR,
	ERR_INVALID_PARAMETERS,
	ERR_BROWSER_UNREACHABLE,
	ERR_TARGET_NOT_FOUND,
	ERR_ALREADY_OBSERVING,
	ERR_NOT_OBSERVING,
	ERR_BODY_NOT_AVAILABLE,
	ERR_SECURITY_BLOCKED,
	ERR_CLIENT_CANNOT,
	ERR_NOT_CONFIRMED,
	ERR_SERVER_START_FAILED,
	ERR_SERVER_COMMAND_FAILED,
	ERR_SHUTDOWN_FAILED,
	ERR_NO_SERVER,
	ERR_LOG_NOT_FOUND,
	ERR_LOG_READ_FAILED,
	ERR_STORE_UNAVAILABLE,
	ERR_STATE_NOT_FOUND,
	ERR_STATE_UNUSABLE,
	ERR_STATE_LOGGED_OUT,
	ERR_USER_HAS_CONTROL,
	ERR_LAST,
};

/* Public name of the error `r` (negative). errno values other than EINVAL are "BROWSER_ERROR". Never NULL. */
const char *error_name(int r);
/* What is said of an error of which nothing else is known: that of strerror() for errno values, else the public name. Never NULL. */
const char *error_words(int r);
/* The error (negative) of that public name, -ERR_BROWSER_ERROR for an unknown one. Page scripts report errors by name. */
int error_from_name(const char *name);
