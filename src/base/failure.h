/*
 * Failures as data: a code (base/error.h), a reason with facts, which are a JSON object, and what the layers above have said about it.
 * The words are written when a surface answers: those here are the ones of the session tools and cdp_* tools, the browser_* tools have
 * others for some reasons. No code reads the words. Failures that nothing distinguishes have no reason; their text is written where they
 * occur.
 */
#pragma once

#include "base/json.h"
#include "base/reasons.h"

#define REASON_ENTRY(id, name, words) REASON_##id,
enum reason { REASONS(REASON_ENTRY) };
#undef REASON_ENTRY

/* The reason with this name in page scripts; REASON_NONE if `name` is unknown or NULL. */
enum reason reason_from_name(const char *name);
/* The reason of an obstacle, {reason, ...facts}. */
enum reason obstacle_reason(const struct json *obstacle);
void obstacle_print(struct str *out, const struct json *obstacle);

/* All zero: there was none. The owner calls failure_done(). */
struct failure {
	int code;           /* as the outermost layer has it; 0: none */
	enum reason reason; /* of the innermost; REASON_NONE: the failure has a text, or only its code */
	struct str text;
	struct str facts;   /* of a reason */
	struct str details; /* a JSON object for clients; those of a reason are its facts, unless there are others */
	struct str around;  /* "before\0after\0" of each layer that has wrapped it, innermost first */
};
void failure_done(struct failure *f);
/* Leaves a failure without words; 0: none. */
void failure_reset(struct failure *f, int code);
/* Replaces what is recorded in `f`. The arguments of a text may be texts of `f`. */
void failure_set(struct failure *f, int code, const char *fmt, ...) _printf_(3, 4);
void failure_vset(struct failure *f, int code, const char *fmt, va_list ap) _printf_(3, 0);
void failure_vset_because(struct failure *f, int code, enum reason reason, uint64_t types, const char *template, va_list ap);
void failure_copy(struct failure *to, const struct failure *from);
/*
 * A layer adds what it has to say before and after the words, and has `code` for the failure. Reason, facts and details stay. All wraps
 * together have at most LIMIT_FAILURE_WRAPS bytes; one that has no room only changes the code.
 */
void failure_wrap(struct failure *f, int code, const char *before, const char *after);
/* Owned by the caller; NULL without a reason. */
struct json *failure_facts(const struct failure *f);
/* What a surface calls a thing to do next, such as its tool for that: {create} in the words of a reason prints those of the hint "create". */
struct hint {
	const char *name, *words;
};
/* `hints` ends with {}; NULL: none. */
void reason_print(struct str *out, enum reason reason, const struct json *facts, const struct hint *hints);
/* Prints the words; nothing if there are none. */
void failure_print(struct str *out, const struct failure *f, const struct hint *hints);
/*
 * The facts that clients of the session tools and cdp_* tools get as `details`: those that were recorded as such, or those of the reason,
 * unless the words have all of them.
 */
void failure_print_details(struct str *out, const struct failure *f);
