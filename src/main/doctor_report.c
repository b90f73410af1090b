/* Prints findings of the doctor. */
#include <stdio.h>

#include "main/doctor_internal.h"

void doctor_report(struct doctor *d, enum finding finding, const char *about, const char *fmt, ...)
{
	static const char *const words[] = { "ok", "note", "WRONG" };
	_cleanup_(str_done) struct str text = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	dprintf(d->out, "%-6s %-17s %s\n", words[finding], about, text.data);
	d->wrong += finding == FINDING_WRONG;
}

void doctor_advise(struct doctor *d, const char *text)
{
	dprintf(d->out, "%24s -> %s\n", "", text);
}
