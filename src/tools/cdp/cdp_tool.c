#include "tools/cdp/cdp_tool.h"

#include "base/error.h"
#include "loop/failure_words.h"

static const char *code_of(int r)
{
	switch (-r) {
	case ERR_BROWSER_UNREACHABLE:
	case ERR_TARGET_NOT_FOUND:
	case ERR_ALREADY_OBSERVING:
	case ERR_NOT_OBSERVING:
	case ERR_BODY_NOT_AVAILABLE:
	case ERR_SECURITY_BLOCKED:
		return error_name(r);
	case ERR_INVALID_PARAMETERS:
	case ERR_INVALID_REGEX:
		return "INVALID_INPUT";
	default:
		return "INTERNAL_ERROR";
	}
}

void cdp_failure(struct task *t, int r, struct mcp_call *call, const struct tool *tool, struct result *res)
{
	const char *message = failure_words(t, r), *details = failure_details(t, r);
	_cleanup_(str_done) struct str json = {};

	if (!failure_has_words(t, r))
		message = arena_printf(task_arena(t), "%s failed: %s", tool->name, message);
	str_json(&json, "{error: {code: ?, message: ?", code_of(r), message);
	if (details)
		str_json(&json, ", details: ?", JSON_RAW(details));
	str_append(&json, "}}");
	result_text(res, json.data);
}
