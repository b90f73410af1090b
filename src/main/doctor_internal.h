/* Shared by the files of the doctor, doctor*.c. */
#pragma once

#include "browser/browser.h"
#include "engine/find.h"
#include "main/options.h"

enum finding { FINDING_OK, FINDING_NOTE, FINDING_WRONG };

struct doctor {
	int out;
	int wrong;
	struct browser_options options;
	struct engine_choice choice;
};

/* doctor_report.c. One line: the finding, what it is about, and the text. */
void doctor_report(struct doctor *d, enum finding finding, const char *about, const char *fmt, ...) _printf_(4, 5);
/* Prints what to do about the finding above. */
void doctor_advise(struct doctor *d, const char *text);

/* doctor_trials.c */
void doctor_try_start(struct doctor *d, const struct options *o);
/* doctor_try_start() with the browser at each address that the options name. */
void doctor_try_endpoints(struct doctor *d, const struct options *o);
void doctor_try_store(struct doctor *d, const struct options *o); /* if the options name one */
