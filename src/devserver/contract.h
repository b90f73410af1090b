/*
 * The contract for commands that manage a server: the JSON results of --start, --restart, --status and --shutdown. The JSON
 * Schemas are in docs/dev-servers.md.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/str.h"

enum contract_verb { CONTRACT_START, CONTRACT_RESTART, CONTRACT_STATUS, CONTRACT_SHUTDOWN, CONTRACT_VERBS };

struct contract_rule {
	const char *argument;        /* "--start" */
	unsigned seconds;            /* timeout for the result */
	const char *const *statuses; /* NULL-terminated */
};
extern const struct contract_rule contract_rules[CONTRACT_VERBS];

/* Whether a result satisfies the contract. If not, all violations are appended to `wrong`. */
bool contract_check(enum contract_verb verb, const struct json *answer, struct str *wrong);

/*
 * Finds the result among other lines: a JSON object with a "status" that starts at the beginning of a line and either ends on
 * that line or ends with a closing brace at the beginning of a later line. The first such object is used.
 */
struct contract_scan {
	size_t scanned, begun; /* bytes of complete lines scanned; offset of a multi-line object, or NONE */
	bool open;
};
/* `text` is the whole output so far, `final` marks its end. Returns the result, owned by the caller, or NULL. */
struct json *contract_find(struct contract_scan *scan, const struct str *text, bool final);
