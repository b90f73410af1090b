/* Tools that ask the client: with a handshake by requests, without one in their answers. */
#include "fixtures.h"

#include "base/error.h"

#define TIMEOUT (30 * USEC_PER_SEC)
#define ROUNDS_MAX 2
#define QUESTIONS_MAX 3

/* The questions of a tool, in one or two rounds; the tool answers `said` followed by the client's answers. */
struct script {
	const char *said;
	const char *path;   /* path of the part of the first answer to print; NULL: all answers, complete */
	bool only_possible; /* questions that the client does not support are omitted */
	struct mcp_question rounds[ROUNDS_MAX][QUESTIONS_MAX + 1]; /* each ends with {} */
};

static size_t choose(const struct script *s, const struct mcp_question *round, struct mcp_call *call, struct mcp_question *ret)
{
	size_t n = 0;

	for (; round->key; round++)
		if (!s->only_possible || mcp_call_can_ask(call, round->feature))
			ret[n++] = *round;
	return n;
}

static void say(const struct script *s, const struct mcp_question *questions, size_t count, struct str *out)
{
	const char *part = s->path && count ? json_str(questions[0].answer, s->path) : NULL;

	if (part)
		str_append(out, part);
	for (size_t i = 0; i < count && !part; i++) {
		str_append_char(out, ' ');
		json_print(out, questions[i].answer);
	}
}

static int run_script(struct task *t, struct mcp_call *call, const struct script *s, struct result *res)
{
	_cleanup_(str_done) struct str out = {};

	str_append(&out, s->said);
	for (size_t i = 0; i < ROUNDS_MAX && s->rounds[i][0].key; i++) {
		struct mcp_question questions[QUESTIONS_MAX];
		size_t count = choose(s, s->rounds[i], call, questions);
		int r = mcp_call_ask(t, call, questions, count, TIMEOUT);

		if (r < 0)
			return r;
		say(s, questions, count, &out);
	}
	result_text(res, out.data);
	return 0;
}

static int run_scripted(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	return run_script(t, call, mcp_call_tool(call)->data, res);
}

#define FORM(key_text, message, properties, required) \
	{ \
		.key = key_text, .feature = MCP_ELICITATION, \
		.params = "{\"message\":\"" message "\",\"requestedSchema\":{\"type\":" \
			  "\"object\",\"properties\":{" properties "},\"required\":[" required "]}}" \
	}
#define TEXT_FORM(key_text, message, property) FORM(key_text, message, "\"" property "\":{\"type\":\"string\"}", "\"" property "\"")
#define OK_FORM(key_text) FORM(key_text, "Please confirm", "\"ok\":{\"type\":\"boolean\"}", "\"ok\"")
#define SAMPLE(key_text, question, tokens) \
	{ \
		.key = key_text, .feature = MCP_SAMPLING, \
		.params = "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\"," \
			  "\"text\":\"" question "\"}}],\"maxTokens\":" tokens "}" \
	}
#define ROOTS(key_text) \
	{ \
		.key = key_text, .feature = MCP_ROOTS, .params = "{}" \
	}

/* ---- with arguments ---- */

struct said {
	const char *prompt, *message;
};

static const struct param sampling_params[] = { PARAM(said, prompt, "What to ask the model", .required = true), {} };
static const struct param elicitation_params[] = { PARAM(said, message, "What to ask the user", .required = true), {} };

static int sampling(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct said *a = args;
	struct str params = {};
	struct script s = { "LLM response: ", "content.text", .rounds = { { { .key = "prompt", .feature = MCP_SAMPLING } } } };
	int r;

	str_json(&params, "{messages: [{role: 'user', content: {type: 'text', text: ?}}], maxTokens: 100}", a->prompt);
	s.rounds[0][0].params = params.data;
	r = run_script(t, call, &s, res);
	str_done(&params);
	return r;
}

static int elicitation(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct said *a = args;
	struct str params = {};
	struct script s = { "User response:", .rounds = { { { .key = "user", .feature = MCP_ELICITATION } } } };
	int r;

	str_json(&params,
		 "{message: ?, requestedSchema: {type: 'object', properties: {username: {type: 'string', description: "
		 "'Your name'}, email: {type: 'string', description: 'Your address'}}, required: ['username', 'email']}}",
		 a->message);
	s.rounds[0][0].params = params.data;
	r = run_script(t, call, &s, res);
	str_done(&params);
	return r;
}

/* ---- the tools ---- */

#define TOOL(tool_name, text, function, ...) \
	&(const struct tool) \
	{ \
		.name = tool_name, .about = text, .read_only = true, .run = function, __VA_ARGS__ \
	}
#define SCRIPT(tool_name, text, ...) TOOL(tool_name, text, run_scripted, .data = &(const struct script){ __VA_ARGS__ })

#define CHOICES(a, b, c) "\"enum\":[\"" a "\",\"" b "\",\"" c "\"]"
#define TITLED(a, b, c) \
	"[{\"const\":\"value1\",\"title\":\"" a "\"},{\"const\":\"value2\",\"title\":\"" b \
	"\"},{\"const\":\"value3\",\"title\":\"" c "\"}]"
#define DEFAULTS_FORM \
	FORM("defaults", "Please look at the defaults", \
	     "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},\"age\":{\"type\":\"integer\",\"default\":30}," \
	     "\"score\":{\"type\":\"number\",\"default\":95.5},\"status\":{\"type\":\"string\"," CHOICES( \
		     "active", "inactive", "pending") ",\"default\":\"active\"},\"verified\":{\"type\":\"boolean\"," \
						      "\"default\":true}", \
	     "")
#define ENUMS_FORM \
	FORM("enums", "Please choose", \
	     "\"untitledSingle\":{\"type\":\"string\"," CHOICES( \
		     "option1", "option2", \
		     "option3") "}," \
				"\"titledSingle\":{\"type\":\"string\",\"oneOf\":" TITLED( \
					"First Option", "Second Option", \
					"Third Option") "}," \
							"\"legacyEnum\":{\"type\":\"string\"," CHOICES( \
								"opt1", "opt2", \
								"opt3") ",\"enumNames\":[\"Option One\"," \
									"\"Option Two\",\"Option Three\"]}," \
									"\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\"," CHOICES( \
										"option1", "option2", \
										"option3") "}}," \
											   "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":" TITLED( \
												   "First Choice", \
												   "Second Choice", \
												   "Third Choice") "}}", \
	     "")
#define NAME_FORM TEXT_FORM("user_name", "What is your name?", "name")

const struct tool *const tool_table_conformance_ask[] = {
	TOOL("test_sampling", "Asks the client's model", sampling, .params = sampling_params, .size = sizeof(struct said)),
	TOOL("test_elicitation", "Asks the user", elicitation, .params = elicitation_params, .size = sizeof(struct said)),
	SCRIPT("test_elicitation_sep1034_defaults", "Asks with defaults",
	       "Elicitation completed:", .rounds = { { DEFAULTS_FORM } }),
	SCRIPT("test_elicitation_sep1330_enums", "Asks for choices", "Elicitation completed:", .rounds = { { ENUMS_FORM } }),
	SCRIPT("test_missing_capability", "Cannot do without the client's model",
	       "Sampled:", .rounds = { { SAMPLE("sample", "Say something", "10") } }),
	SCRIPT("test_streaming_elicitation", "Asks the user", "Told:", .rounds = { { NAME_FORM } }),
	SCRIPT("test_input_required_result_elicitation", "Asks for a name", "Hello, ", "content.name", .rounds = { { NAME_FORM } }),
	SCRIPT("test_input_required_result_sampling", "Asks the client's model", "The model says: ", "content.text",
	       .rounds = { { SAMPLE("capital_question", "What is the capital of France?", "100") } }),
	SCRIPT("test_input_required_result_list_roots", "Asks for folders", "Roots:", .rounds = { { ROOTS("client_roots") } }),
	SCRIPT("test_input_required_result_request_state", "Asks with a state", "state-ok", .rounds = { { OK_FORM("confirm") } }),
	SCRIPT("test_input_required_result_tampered_state", "Asks with a state", "state-ok", .rounds = { { OK_FORM("confirm") } }),
	SCRIPT("test_input_required_result_multiple_inputs", "Asks for several things",
	       "Told:", .rounds = { { NAME_FORM, SAMPLE("greeting", "Generate a greeting", "50"), ROOTS("client_roots") } }),
	SCRIPT("test_input_required_result_multi_round", "Asks twice", "Told:",
	       .rounds = { { TEXT_FORM("step1", "Step 1: What is your name?", "name") },
			   { TEXT_FORM("step2", "Step 2: What is your favorite color?", "color") } }),
	SCRIPT("test_input_required_result_capabilities", "Asks what the client can be asked", "Told:", .only_possible = true,
	       .rounds = { { NAME_FORM, SAMPLE("greeting", "Generate a greeting", "50") } }),
	NULL,
};
