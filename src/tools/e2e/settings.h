/* Settings of sessions with a dev server. */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "devserver/permit.h"

struct egress_rules;

struct e2e_settings {
	struct permit_lists permit;        /* programs that clients may start, their variables and directories */
	const char *const *log_folders;    /* allowed for their logs in addition to the default ones, NULL-terminated; NULL: none */
	const struct egress_rules *egress; /* rules for their pages in addition to the general ones; NULL: none */
	const char *egress_why;            /* the reason for a refusal by these rules, for messages */
	usec_t idle, lifetime;             /* a session ends after this time without use, and this long after its start */
	bool listed_only;                  /* clients are not the operator, so only listed programs may be started */
};
