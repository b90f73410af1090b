/* A recording that is being made: its files, from the beginning to the end. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/random.h"
#include "recordings/internal.h"

/* ---- the end ---- */

static void record_close_timeline(struct session_record *r)
{
	if (r->timeline >= 0)
		r->bytes += recording_close(r, RECORDING_TIMELINE, r->timeline);
	r->timeline = -1;
}

/* All contexts have gone, and with them the videos. */
static void record_complete(struct session_record *r)
{
	int failure;

	if (!r->ended)
		r->ended = clock_unix_msec();
	for (unsigned i = 0; i < r->video_count; i++)
		r->bytes += r->videos[i].bytes;
	record_close_timeline(r);
	failure = manifest_write(r);
	if (failure < 0)
		log_warning("the manifest of the recording %s is incomplete: %s", r->id, strerror(-failure));
	if (r->manifest >= 0)
		r->bytes += recording_close(r, RECORDING_MANIFEST, r->manifest);
	r->all->counts.now--;
	if (r->failed)
		r->all->counts.incomplete++;
	else
		r->all->counts.finished++;
	r->all->counts.bytes += r->bytes;
	retention_soon(r->all);
	log_info("the recording %s has ended, with %" PRIu64 " bytes", r->id, r->bytes);
}

static void record_free(struct session_record *r)
{
	LIST_REMOVE(r, link);
	if (r->directory >= 0)
		close(r->directory);
	str_done(&r->url);
	str_done(&r->title);
	str_done(&r->notes);
	free(r->root);
	free(r->rest);
	free(r);
}

struct session_record *session_record_ref(struct session_record *r)
{
	r->refs++;
	return r;
}

void session_record_unref(struct session_record *r)
{
	if (--r->refs > 0)
		return;
	record_complete(r);
	record_free(r);
}

/* ---- the beginning ---- */

/* Ids sort by the time at which recordings began. */
static void record_make_id(struct session_record *r)
{
	time_t seconds = (time_t)(r->began / 1000);
	struct tm tm;
	size_t len;

	gmtime_r(&seconds, &tm);
	len = strftime(r->id, sizeof(r->id), "%Y%m%d-%H%M%S", &tm);
	snprintf(r->id + len, sizeof(r->id) - len, "-%016" PRIx64, random_number());
}

/* The lock says that the process which writes the recording lives. */
static int open_timeline(struct session_record *r)
{
	int fd = recording_create(r, RECORDING_TIMELINE);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		log_warning("cannot lock the timeline of the recording %s: %s", r->id, strerror(errno));
	r->timeline = fd;
	return MIN(fd, 0);
}

static int record_make_files(struct session_record *r)
{
	int result = recording_make_directory(r);

	if (result == 0)
		result = manifest_write(r);
	return result < 0 ? result : open_timeline(r);
}

struct session_record *record_new(struct recordings *all, const struct session *s, uint64_t owner, unsigned kinds)
{
	struct session_record *r = NEW(struct session_record);
	int result;

	r->all = all;
	r->refs = 1;
	r->kinds = kinds;
	r->owner = owner;
	r->directory = r->manifest = r->timeline = -1;
	r->began = clock_unix_msec();
	record_make_id(r);
	snprintf(r->session_id, sizeof(r->session_id), "%s", session_id(s));
	LIST_INSERT_HEAD(&all->list, r, link);
	result = record_make_files(r);
	if (result == 0) {
		all->counts.now++;
		log_info("recording session %s: %s", r->session_id, r->id);
		return r;
	}
	log_warning("session %s is not recorded: cannot make the files of a recording: %s", r->session_id, strerror(-result));
	record_free(r);
	return NULL;
}

/* ---- whose it is ---- */

struct session_record *recording_of_call(const struct recordings *all, struct mcp_call *call)
{
	const struct tool_style *style = &mcp_conn_server(mcp_call_conn(call))->style;

	if (!tool_takes_session(mcp_call_tool(call), style))
		return NULL;
	return registry_record(all->app->registry, call_owner(call), call_session(call));
}
