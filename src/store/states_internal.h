/* Shared by the places where states can be: state_records.c (the state store) and state_files.c (a folder). */
#pragma once

#include "base/json.h"
#include "store/states.h"

/* The first member of what a place keeps. The functions are those of states.h. */
struct states {
	int (*save)(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text, size_t len);
	int (*load)(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret);
	int (*list)(struct task *t, struct states *s, const char *owner, struct state_facts **ret);
	int (*delete)(struct task *t, struct states *s, const char *owner, const char *name);
	void (*free)(struct states *s);
};

/* What is known of a state without reading it, as JSON. */
void state_facts_print(const struct state_facts *f, struct str *out);
/* False: the text is not what state_facts_print() writes. Strings are in the task's arena; `name` is kept. */
bool state_facts_read(struct task *t, const char *text, struct state_facts *ret);
void state_facts_sort(struct state_facts *list, size_t count);
/* Is the name in the sorted list? */
bool state_facts_have(const struct state_facts *list, size_t count, const char *name);
