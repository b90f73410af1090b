/*
 * Recordings of sessions in the live view (recordings/shelf.h): the list, their files, and their removal. A person sees those of the owner
 * whose sessions they see; a link to one session shows none.
 */
#pragma once

#include "loop/http.h"
#include "people/scope.h"
#include "recordings/recordings.h"

/* Answers {recordings: [...], act}, or with the file that `rest` names, KEY/NAME; GET and HEAD. */
void recorded_get(struct http_exchange *x, struct recordings *all, const struct scope *scope, const char *rest);
/* Removes the recording KEY, for a person who may act. */
void recorded_delete(struct http_exchange *x, struct recordings *all, const struct scope *scope, const char *key);
