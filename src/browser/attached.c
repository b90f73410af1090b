#include "browser/attached.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "loop/scratch.h"

void attached_init(struct attached *a, const char *address, const char *const *fields)
{
	endpoint_parse(address, &a->endpoint);
	for (; fields && *fields; fields++)
		endpoint_add_field(&a->endpoint, *fields);
}

void attached_done(struct attached *a)
{
	attached_release(a);
	str_done(&a->downloads);
	str_done(&a->uploads);
	endpoint_done(&a->endpoint);
}

static int make_directories(struct attached *a)
{
	int r = scratch_new(SCRATCH_FILES, &a->scratch);

	if (r < 0)
		return r;
	str_reset(&a->downloads);
	str_reset(&a->uploads);
	str_appendf(&a->downloads, "%s/downloads", scratch_path(a->scratch));
	str_appendf(&a->uploads, "%s/uploads", scratch_path(a->scratch));
	return mkdir(a->downloads.data, 0700) < 0 || mkdir(a->uploads.data, 0700) < 0 ? -errno : 0;
}

int attached_connect(struct attached *a, struct loop *l, const struct engine_connection_handler *handler, void *data,
		     struct failure *failure)
{
	_cleanup_(str_done) struct str error = {};
	int r;

	a->may_pass = false;
	a->retry_after = 0;
	r = endpoint_locate(&a->endpoint, &error);
	if (r < 0) {
		failure_set(failure, -ERR_BROWSER_ERROR, "%s", str_text(&error));
		return r;
	}
	r = endpoint_is_local(&a->endpoint) ? make_directories(a) : 0;
	if (r < 0) {
		failure_set(failure, -ERR_BROWSER_ERROR,
			    "cannot create a directory in %s: %s; set TMPDIR to one that can be written",
			    file_temporary_directory(), strerror(-r));
		return r;
	}
	a->connection = engine_connect(l, &a->endpoint, handler, data);
	return 0;
}

void attached_release(struct attached *a)
{
	a->connection = engine_disconnect(a->connection);
	if (a->scratch)
		a->scratch = scratch_remove(a->scratch);
}

void attached_explain(struct attached *a, const char *reason, struct str *out)
{
	const struct refusal *refusal = engine_refusal(a->connection);

	a->may_pass = endpoint_refusal_may_pass(refusal);
	a->retry_after = refusal->retry_after * USEC_PER_SEC;
	if (refusal->status)
		endpoint_explain(&a->endpoint, refusal, out);
	else
		str_append(out, reason);
}
