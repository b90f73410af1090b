/*
 * The command contract: what a command that manages a server answers to --start, --restart, --status and --shutdown.
 * docs/dev-servers.md has it as JSON Schemas.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/str.h"

enum contract_verb { CONTRACT_START, CONTRACT_RESTART, CONTRACT_STATUS, CONTRACT_SHUTDOWN, CONTRACT_VERBS };

struct contract_rule {
	const char *argument; /* "--start" */
	unsigned seconds;     /* in which the answer must come */
	const char *const *statuses; /* NULL-terminated */
};
extern const struct contract_rule contract_rules[CONTRACT_VERBS];

/* Does the answer keep the contract? If not, `wrong` says everything that is wrong with it. */
bool contract_check(enum contract_verb verb, const struct json *answer, struct str *wrong);

/*
 * Finds the answer among other lines: a JSON object with a "status" that begins a line, and ends it or is spread over
 * lines of which the last begins with its closing brace. The first such object counts.
 */
struct contract_scan {
	size_t scanned, begun; /* bytes of whole lines so far; where an object that may be spread begins, or NONE */
	bool open;
};
/* `text` is all that has come so far; `final`: nothing more does. Returns the answer (the caller's), or NULL. */
struct json *contract_find(struct contract_scan *scan, const struct str *text, bool final);
