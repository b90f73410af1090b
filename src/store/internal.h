/* Shared by store.c, which has the commands, and connection.c, which sends them. */
#pragma once

#include "store/resp.h"
#include "store/store.h"

/*
 * Sends a command and waits for its reply, which the caller owns; a reply that is an error is a failure. `repeatable`: it may be sent
 * again after the connection was lost. Suspends.
 */
int store_call(struct task *t, struct store *s, const struct resp_word *words, size_t count, bool repeatable, struct resp **ret);
/* A reply is none to the command: fails, and closes the connection, on which replies may be out of step. */
int store_wrong_reply(struct task *t, struct store *s, const char *command);
