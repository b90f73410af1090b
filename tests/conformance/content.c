/* Tools that answer with each kind of content, tell their progress, log, or have a schema that is hard to keep whole. */
#include "fixtures.h"

#include "base/error.h"
#include "base/log.h"

#define PAUSE (50 * USEC_PER_MSEC)
#define SILENCE "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==" /* a WAV of two samples */

static int simple_text(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	result_text(res, "This is a simple text response for testing.");
	return 0;
}

static int image(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	result_image(res, CONFORMANCE_PNG, "image/png");
	return 0;
}

static int audio(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	result_audio(res, SILENCE, "audio/wav");
	return 0;
}

static int embedded_resource(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	result_resource(res, "test://embedded-resource", "text/plain", "This is an embedded resource content.");
	return 0;
}

static int multiple_types(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	result_text(res, "Multiple content types test:");
	result_image(res, CONFORMANCE_PNG, "image/png");
	result_resource(res, "test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}");
	return 0;
}

static int failing(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	return task_fail(t, -ERR_BROWSER_ERROR, "This tool intentionally returns an error for testing");
}

static int with_progress(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	int r = 0;

	for (int done = 0; done <= 100 && r == 0; done += 50) {
		mcp_call_progress_of(call, done, 100);
		r = task_sleep(t, PAUSE);
	}
	result_text(res, "All of it is done.");
	return r;
}

static int with_logging(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	static const char *const messages[] = { "Tool execution started", "Tool processing data", "Tool execution completed" };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(messages) && r == 0; i++) {
		log_info("%s", messages[i]);
		r = task_sleep(t, PAUSE);
	}
	result_text(res, "Three messages were logged.");
	return r;
}

static const char hard_schema[] =
	"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"$defs\":{\"address\":{\"$anchor\":"
	"\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"
	"\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},\"contactMethod\":{\"type\":"
	"\"string\",\"enum\":[\"phone\",\"email\"]},\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},\"allOf\":[{"
	"\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],\"if\":{\"properties\":{\"contactMethod\":{\"const\":"
	"\"phone\"}},\"required\":[\"contactMethod\"]},\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},"
	"\"additionalProperties\":false}";

#define TOOL(tool_name, text, function, ...) \
	&(const struct tool) \
	{ \
		.name = tool_name, .about = text, .read_only = true, .run = function, __VA_ARGS__ \
	}

const struct tool *const tool_table_conformance[] = {
	TOOL("test_simple_text", "Answers a text", simple_text),
	TOOL("test_image_content", "Answers a picture", image),
	TOOL("test_audio_content", "Answers a sound", audio),
	TOOL("test_embedded_resource", "Answers a resource", embedded_resource),
	TOOL("test_multiple_content_types", "Answers a text, a picture and a resource", multiple_types),
	TOOL("test_error_handling", "Fails", failing),
	TOOL("test_tool_with_progress", "Tells its progress", with_progress),
	TOOL("test_tool_with_logging", "Logs", with_logging),
	TOOL("test_logging_tool", "Logs", with_logging),
	TOOL("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", simple_text, .input_schema = hard_schema,
	     .complaints = COMPLAINTS_LISTED),
	NULL,
};
