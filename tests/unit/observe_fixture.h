/* Journals that tests fill with what a browser could send, and numbers for those that make it up. */
#pragma once

#include <stdarg.h>
#include <stdint.h>

#include "observe/journal.h"

#define SESSION "0123456789ABCDEF" /* of all events that are fed */

/* Feeds one event; its parameters are a str_json() template. */
#define tell(j, event, ...) tell_values(j, event, JSON_VALUES(__VA_ARGS__))
void tell_values(struct journal *j, const char *event, uint64_t types, const char *template, ...);

/* The seed of the random numbers: OBSERVE_SEED, or a new one. It is printed. */
void random_begin(void);
unsigned random_below(unsigned n);
