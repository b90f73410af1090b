/*
 * RESP, the protocol of Redis and Valkey, in its version 2: commands as bytes, and bytes as replies. The library hiredis does both; in a
 * build without it resp_available is false, and nothing else here may be called.
 *
 * A reply is a text, a number, nothing, or a list of these. Longer ones than base/limits.h allows, and lists in lists, which no command
 * of store.c has for an answer, are errors.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "base/str.h"

extern const bool resp_available;

enum resp_kind { RESP_TEXT, RESP_STATUS, RESP_ERROR, RESP_INTEGER, RESP_NIL, RESP_LIST };

struct resp {
	enum resp_kind kind;
	struct str text; /* of RESP_TEXT, RESP_STATUS and RESP_ERROR; any bytes */
	long long integer;
	struct resp **items; /* of RESP_LIST */
	size_t count;
};

struct resp *resp_free(struct resp *r);
DEFINE_FREEP(resp);

/* One word of a command. */
struct resp_word {
	const char *text;
	size_t len;
};

/* Appends a command. */
void resp_format(struct str *out, const struct resp_word *words, size_t count);

struct resp_reader;
struct resp_reader *resp_reader_new(void);
struct resp_reader *resp_reader_free(struct resp_reader *r);
DEFINE_FREEP(resp_reader);
/* What was received. -EPROTO: it is no such protocol, or a reply is too long; the reader can only be freed then, as after the next. */
int resp_reader_feed(struct resp_reader *r, const char *data, size_t len);
/* 1: the next complete reply, which the caller owns; 0: there is none yet; -EPROTO. */
int resp_reader_next(struct resp_reader *r, struct resp **ret);
