#include "mcp/incoming.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

static struct incoming_message *incoming_add_message(struct incoming *in, const char *text, size_t len)
{
	struct incoming_message *m = &in->messages[in->count++];

	*m = (struct incoming_message){ .text = text, .len = len };
	m->code = rpc_parse(text, len, &m->parsed, &m->why);
	return m;
}

/*
 * Whether the text of a message is no JSON value, so that nothing around it can be relied on. A text with escapes that are
 * refused (RPC_INVALID_PARAMS) is JSON, and concerns its own message only.
 */
static bool is_unreadable(const struct incoming_message *m)
{
	return !m->parsed.root && m->code != RPC_INVALID_PARAMS;
}

/* The elements are checked when they are parsed, so that valid elements between valid separators are a valid array. */
static void parse_batch(struct incoming *in, const char *text, size_t len)
{
	size_t at = 0, element_len;
	const char *element;

	in->messages = must(calloc(LIMIT_BATCH_COUNT + 1, sizeof(*in->messages)));
	while (in->count <= LIMIT_BATCH_COUNT && (element = json_raw_next(text, len, &at, &element_len))) {
		const struct incoming_message *m = incoming_add_message(in, element, element_len);

		if (is_unreadable(m)) {
			in->code = m->code;
			in->why = m->why;
			return;
		}
	}
	if (in->count <= LIMIT_BATCH_COUNT && !json_raw_ended(text, len, at))
		in->code = rpc_parse_failure(-EINVAL, &in->why);
}

static bool is_batch(const char *text, size_t len)
{
	size_t blanks = 0;

	while (blanks < len && text[blanks] && strchr(" \t\r\n", text[blanks]))
		blanks++;
	return blanks < len && text[blanks] == '[';
}

void incoming_parse(struct incoming *in, const char *text, size_t len)
{
	*in = (struct incoming){ .batch = is_batch(text, len) };
	if (in->batch) {
		parse_batch(in, text, len);
		return;
	}
	in->messages = NEW(struct incoming_message);
	incoming_add_message(in, text, len);
}

void incoming_done(struct incoming *in)
{
	for (size_t i = 0; i < in->count; i++)
		rpc_message_done(&in->messages[i].parsed);
	free(in->messages);
	*in = (struct incoming){};
}
