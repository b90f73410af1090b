/*
 * A tool is a row of data: its parameters are members of a C struct, and schema, parsing, validation messages,
 * tools/list and docs/tools.md all come from the one table.
 *
 *	struct click { const char *selector; double timeout; bool force; int clickCount; };
 *	static const struct param click_params[] = {
 *		PARAM(click, selector, "CSS or XPath of the element", .required = true),
 *		PARAM(click, clickCount, "2 is a double click", .min = 1, .max = 3),
 *		{}
 *	};
 *
 * PARAM takes name, offset and JSON type from the member; a member of an unsupported type does not compile.
 * Supported: const char * (string), double (number), int and int64_t (integer), bool (boolean), struct string_list
 * (array of strings), const struct json * (any value; its schema is `.schema`), enums by `.choices`
 * (member of type int, string on the wire).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/str.h"
#include "loop/task.h"

struct string_list {
	const char **items;
	size_t count;
};

enum param_type { PARAM_STRING, PARAM_NUMBER, PARAM_INT, PARAM_INT64, PARAM_BOOL, PARAM_STRINGS, PARAM_JSON };

struct param {
	const char *name;
	const char *about;
	enum param_type type;
	size_t offset;
	bool required;
	double min, max;            /* checked if min < max, and part of the schema */
	size_t max_length;          /* bytes of a string, or of each one in a list; 0: LIMIT_ARGUMENT */
	bool empty_is_none;         /* treat "" as absent */
	const char *const *choices; /* NULL-terminated; the member is an int that gets the index, -1 for none, or a string_list */
	const char *schema;         /* JSON Schema text that replaces the generated one (nested values) */
	const char *terse;          /* description in terse views of a tool with `terse`; NULL: none, the name says enough */
	const char *terse_schema;   /* replaces `schema` there */
	/*
	 * What docs/tools.md says where lists say nothing, because the name does to a model: in the first line of the parameter, in others
	 * ("type: Kind of the field") of members of its items.
	 */
	const char *documented;
	unsigned needs;    /* as `needs` of a tool: neither listed nor accepted where the server lacks one of them */
	bool is_rare;      /* not listed there, but accepted */
	bool is_for_terse; /* listed and accepted in terse views alone, whatever else they hide */
	bool is_flag;      /* of a const struct json *: true or false; NULL where it is not given */
	bool is_addition;  /* hidden in views with sessions_hidden */
	bool is_later;     /* hidden in views without `later` */
	bool defaulted;    /* the schema has the default even if it is zero; explicit views list the parameter as required */
};

#define PARAM_TYPE_OF(m) \
	_Generic((m), const char *: PARAM_STRING, double: PARAM_NUMBER, int: PARAM_INT, int64_t: PARAM_INT64, \
		 bool: PARAM_BOOL, struct string_list: PARAM_STRINGS, const struct json *: PARAM_JSON)
#define PARAM(strct, member, description, ...) \
	{ \
		.name = #member, .about = description, .offset = offsetof(struct strct, member), \
		.type = PARAM_TYPE_OF(((struct strct *)0)->member), __VA_ARGS__ \
	}

/* The format of errors about arguments. */
enum complaint_style {
	COMPLAINTS_IN_WORDS, /* all in one line, with the values received; unknown arguments are errors */
	/* "✖ Invalid input: expected string, received number" and "  → at url"; unknown ones are errors in views with refuses_unknown */
	COMPLAINTS_LISTED,
};

struct version;  /* mcp/version.h */
struct mcp_call; /* mcp/server.h: the running call */
struct result;   /* mcp/result.h */

#define TOOL_TASK_AFTER (5 * USEC_PER_SEC)

struct tool {
	const char *name, *title, *about;
	const char *terse;      /* replaces `about` in terse views, and makes the list of parameters short; NULL: listed in full */
	const char *capability; /* listed only by a server that has this capability; NULL: by every server */
	unsigned needs;         /* bits whose meaning is that of the program: what it may lack, and the tool is not listed then */
	const struct param *params; /* ends with {} ; NULL: none */
	size_t size;                /* of the argument struct */
	const void *defaults;       /* value of that struct; NULL: zeroes. Defaults appear in the schema */
	const char *input_schema;   /* JSON Schema text that is listed instead of that of `params`; NULL: none */
	const char *output_schema;  /* JSON Schema text, root type object, which is listed; NULL: none */
	bool read_only, idempotent, not_destructive, closed_world; /* hints; false gives MCP's defaults */
	/*
	 * Runs the tool; may suspend. 0: `res` is the result. Negative: the result is the task's failure with
	 * isError, in the form that is the default of struct mcp_server. `args` lives in the task's arena.
	 */
	int (*run)(struct task *t, struct mcp_call *call, const void *args, struct result *res);
	/*
	 * Writes the result of a call that failed, also because of invalid arguments. NULL: the server's `failure`.
	 */
	void (*failure)(struct task *t, int r, struct mcp_call *call, const struct tool *tool, struct result *res);
	enum complaint_style complaints;
	const void *data; /* for `run`: mcp_call_tool() */
	const char
		*steps; /* the argument with the calls that it makes (mcp/steps.h), on whose tools its right depends; NULL: none */
	/*
	 * A call that takes longer becomes a task, if its client takes tasks (mcp/tasks.h): it can then be polled and cancelled, and does not
	 * depend on a connection. 0: never.
	 */
	usec_t task_after;
	bool traces_itself; /* what it does is in the trace of its session in more detail than the call alone */
	bool ends_session;  /* it ends the session that it is called with, and cannot be a step of a call on that */
};

/* How a server lists its tools and accepts their arguments. */
struct tool_style {
	const char *session_argument; /* name of the argument that selects a session of the server; NULL: tools have none */
	unsigned lacks;               /* bits of `needs` of parameters that this server does not have */
	bool later;                   /* parameters with `is_later` are listed and accepted */
	const char *session_header; /* clients repeat that argument in the field Mcp-Param-NAME (x-mcp-header); NULL: they do not */
	bool sessions_hidden;       /* that argument and parameters with `is_addition` are neither listed nor accepted */
	/*
	 * The list repeats what the protocol defines as the default: the dialect of schemas, every hint, that a tool takes
	 * no other arguments; and it has titles, which repeat the names for user interfaces. Without this, lists are
	 * shorter and mean the same to a model.
	 */
	bool explicit;
	bool refuses_unknown; /* of tools with COMPLAINTS_LISTED, too: an argument that does not exist is an error */
	bool whole;           /* for documentation: parameters of every form are listed */
	/*
	 * The list is for models that read it whole at each turn: a line for each tool, and of its parameters the names, types and choices.
	 * Ranges and defaults are left out, because the message that refuses a value has them; so are rare parameters.
	 */
	bool terse;
};

/* Appends the JSON Schema of the arguments. Defaults of 0, false, NULL or no choice are omitted. */
void tool_input_schema(const struct tool *tool, const struct tool_style *style, struct str *out);
/* Appends the tools/list entry as JSON object text, with the members that the protocol version has. */
void tool_entry(const struct tool *tool, const struct tool_style *style, const struct version *version, struct str *out);

/*
 * Appends the arguments of a call as a JSON object: in the order of the parameters, with the defaults of the listed schema, without
 * what the tool does not have.
 */
void tool_print_arguments(const struct tool *tool, const struct tool_style *style, const struct json *arguments, struct str *out);

/* The JSON type as JavaScript names it: "number"; "undefined" for NULL. */
const char *tool_type_word(const struct json *v);

/*
 * Parses and checks `arguments` (NULL: none) into a struct allocated in the task's arena; its strings and values are
 * borrowed from `arguments`. On failure -ERR_INVALID_PARAMETERS, with a message that names every wrong argument, the
 * expected type or range, and the received value.
 */
int tool_parse_arguments(struct task *t, const struct tool *tool, const struct tool_style *style, const struct json *arguments,
			 const void **ret);
/* A page defines what the tool takes (tools/browser/webmcp.h), and checks it. */
static inline bool tool_takes_any(const struct tool *tool)
{
	return !tool->params || !tool->params->name;
}
/* Is the parameter one that clients see? */
bool tool_shows(const struct tool_style *style, const struct param *p);
/* Does the tool have a parameter of this name that clients see? */
bool tool_has_param(const struct tool *tool, const struct tool_style *style, const char *name);
/* Does it work on a session? With `sessions_hidden` clients do not see the parameter that says so. */
bool tool_takes_session(const struct tool *tool, const struct tool_style *style);
/* Does tools/list have the parameter of this name, so that clients know its schema? */
bool tool_lists_param(const struct tool *tool, const struct tool_style *style, const char *name);

/*
 * For lists of tools, #define TOOLS(TOOL) TOOL(click) TOOL(type): TOOLS(TOOL_DECLARE) declares tool_click and tool_type,
 * { TOOLS(TOOL_ROW) NULL } is the table.
 */
#define TOOL_DECLARE(name) extern const struct tool tool_##name;
#define TOOL_ROW(name) &tool_##name,
