/* cdp_read_events, cdp_clear_events, cdp_set_filters, cdp_get_filters. */
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "observe/event.h"
#include "tools/cdp/cdp_tool.h"
#include "tools/cdp/tools.h"

/* ---- events ---- */

struct cdp_read_events {
	const char *targetId, *urlIncludes, *method;
	int64_t offset;
	int limit;
	struct string_list kinds;
};

static const struct param cdp_read_events_params[] = {
	PARAM(cdp_read_events, targetId, TARGET_ID_ABOUT, .required = true),
	PARAM(cdp_read_events, offset, "seq of the first event: nextOffset of the answer before; default 0", .min = 0,
	      .max = JSON_INTEGER_MAX),
	PARAM(cdp_read_events, limit, "At most this many events", .min = 1, .max = LIMIT_OBSERVED_COUNT),
	PARAM(cdp_read_events, kinds, "Only these kinds; default: all", .choices = event_kind_table),
	PARAM(cdp_read_events, urlIncludes, "Substring of the URL of a request, or of a message's script"),
	PARAM(cdp_read_events, method, "HTTP method, such as POST; only network events then"),
	{}
};

static const struct cdp_read_events cdp_read_events_defaults = { .limit = EVENTS_DEFAULT };

unsigned event_kinds_of(const struct string_list *names)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < names->count; i++)
		kinds |= event_kinds(names->items[i]);
	return kinds;
}

static int cdp_read_events_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct cdp_read_events *a = args;
	const struct journal_query q = { .kinds = event_kinds_of(&a->kinds), .url_includes = a->urlIncludes, .method = a->method };
	_cleanup_(str_done) struct str events = {};
	uint64_t next = (uint64_t)a->offset, dropped;
	struct observation *ob = NULL;
	int r;

	r = observers_find(t, call_observers(call), call_owner(call), a->targetId, false, &ob);
	if (r < 0)
		return r;
	dropped = observation_missed(ob, next);
	event_list(&events, ob, &q, &next, (size_t)a->limit);
	result_json(res, "{nextOffset: ?, events: [?], dropped: ?, attached: ?}", next, JSON_RAW(str_text(&events)), dropped,
		    observation_attached(ob));
	return 0;
}

const struct tool tool_cdp_read_events = CDP_TOOL(
	"cdp_read_events", "Read events", cdp_read_events,
	"Read console and network events of an observed target, oldest first. Pass nextOffset as offset to go on; use wait_for_event to wait "
	"for a new one.",
	"{\"type\":\"object\",\"properties\":{\"nextOffset\":{\"type\":\"integer\"},"
	"\"events\":{\"type\":\"array\",\"items\":" EVENT_OUTPUT "},"
	"\"dropped\":{\"type\":\"integer\",\"description\":\"Events from offset on that are no longer held\"},"
	"\"attached\":{\"type\":\"boolean\",\"description\":\"More may come\"}},"
	"\"required\":[\"nextOffset\",\"events\",\"dropped\",\"attached\"]}",
	.read_only = true, .defaults = &cdp_read_events_defaults);

void event_list(struct str *out, struct observation *ob, const struct journal_query *q, uint64_t *offset, size_t limit)
{
	const struct journal *j = observation_journal(ob);
	const struct journal_excerpt v = observation_excerpt(ob);
	const struct observed *e;

	while (limit-- > 0 && out->len < LIMIT_OBSERVED_ANSWER && (e = journal_excerpt_next(j, &v, q, offset))) {
		if (out->len)
			str_append_char(out, ',');
		event_json(out, j, e, observation_target_id(ob), journal_filter_text_max(v.filter));
	}
}

struct target_only {
	const char *targetId;
};

static const struct param target_only_params[] = { PARAM(target_only, targetId, TARGET_ID_ABOUT, .required = true), {} };

static int events_clear_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct target_only *a = args;
	struct observation *ob = NULL;
	int r;

	r = observers_find(t, call_observers(call), call_owner(call), a->targetId, false, &ob);
	if (r < 0)
		return r;
	observation_clear(ob);
	result_json(res, "{cleared: true}");
	return 0;
}

#define TARGET_TOOL(...) \
	{ \
		.params = target_only_params, .size = sizeof(struct target_only), .failure = cdp_failure, __VA_ARGS__ \
	}

const struct tool tool_cdp_clear_events =
	TARGET_TOOL(.name = "cdp_clear_events", .title = "Clear events",
		    .about = "Forget the events of an observed target so far. seq goes on counting.",
		    .output_schema =
			    "{\"type\":\"object\",\"properties\":{\"cleared\":{\"type\":\"boolean\"}},\"required\":[\"cleared\"]}",
		    .run = events_clear_run);

/* ---- filters ---- */

struct cdp_set_filters {
	const char *targetId;
	struct string_list kinds, urlAllowlist, urlBlocklist;
	int maxBodyBytes;
};

enum { FILTER_CONSOLE, FILTER_LOG, FILTER_NETWORK };
static const char *const filter_kinds[] = { "console", "log", "network", NULL };
static const unsigned filter_masks[] = {
	[FILTER_CONSOLE] = OBSERVED_CONSOLE | OBSERVED_EXCEPTION,
	[FILTER_LOG] = OBSERVED_LOG,
	[FILTER_NETWORK] = OBSERVED_NETWORK,
};

static const struct param cdp_set_filters_params[] = {
	PARAM(cdp_set_filters, targetId, TARGET_ID_ABOUT, .required = true),
	PARAM(cdp_set_filters, kinds, "Only these kinds; default: all", .choices = filter_kinds),
	PARAM(cdp_set_filters, urlAllowlist, "Show only network events whose URL contains one of these", .max_length = LIMIT_URL),
	PARAM(cdp_set_filters, urlBlocklist, "Show no network events whose URL contains one of these; wins over urlAllowlist",
	      .max_length = LIMIT_URL),
	PARAM(cdp_set_filters, maxBodyBytes, "Longer texts and bodies are cut to this many bytes", .min = 1,
	      .max = LIMIT_OBSERVED_TEXT_MAX),
	{}
};

static const struct cdp_set_filters cdp_set_filters_defaults = { .maxBodyBytes = LIMIT_OBSERVED_TEXT };

static unsigned mask_of(const struct string_list *names)
{
	unsigned mask = 0;

	for (size_t i = 0; i < names->count; i++)
		for (size_t k = 0; k < ARRAY_SIZE(filter_masks); k++)
			mask |= strcmp(names->items[i], filter_kinds[k]) == 0 ? filter_masks[k] : 0;
	return mask;
}

static const char *const *parts_of(const struct string_list *list)
{
	return list->count ? list->items : NULL;
}

static bool has_empty(const struct string_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->items[i][0])
			return true;
	return false;
}

static int check_parts(struct task *t, const struct cdp_set_filters *a)
{
	if (a->urlAllowlist.count + a->urlBlocklist.count > LIMIT_OBSERVED_PARTS_COUNT)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "urlAllowlist and urlBlocklist may have %u parts of URLs together",
				 LIMIT_OBSERVED_PARTS_COUNT);
	if (has_empty(&a->urlAllowlist) || has_empty(&a->urlBlocklist))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "urlAllowlist and urlBlocklist: an empty text is a part of every URL, "
				 "leave it out");
	return 0;
}

static int cdp_set_filters_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct cdp_set_filters *a = args;
	struct observation *ob = NULL;
	int r;

	r = check_parts(t, a);
	if (r < 0)
		return r;
	r = observers_find(t, call_observers(call), call_owner(call), a->targetId, true, &ob);
	if (r < 0)
		return r;
	observation_set_filter(ob, &(const struct journal_filter){
					   .kinds = mask_of(&a->kinds),
					   .allow = parts_of(&a->urlAllowlist),
					   .block = parts_of(&a->urlBlocklist),
					   .text_max = (size_t)a->maxBodyBytes,
				   });
	result_json(res, "{updated: true}");
	return 0;
}

const struct tool tool_cdp_set_filters =
	CDP_TOOL("cdp_set_filters", "Set filters", cdp_set_filters,
		 "Choose which events of an observed target the other cdp_* tools show; replaces earlier filters.",
		 "{\"type\":\"object\",\"properties\":{\"updated\":{\"type\":\"boolean\"}},\"required\":[\"updated\"]}",
		 .not_destructive = true, .idempotent = true, .defaults = &cdp_set_filters_defaults);

static void append_kinds(struct str *out, unsigned kinds)
{
	for (size_t i = 0; i < ARRAY_SIZE(filter_masks); i++)
		if (!kinds || kinds & filter_masks[i])
			str_json(out, "? ?", JSON_COMMA(out->len), filter_kinds[i]);
}

static void events_append_parts(struct str *out, const char *const *parts)
{
	for (size_t i = 0; parts && parts[i]; i++)
		str_json(out, "? ?", JSON_COMMA(i), parts[i]);
}

static int get_filters_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct target_only *a = args;
	_cleanup_(str_done) struct str kinds = {}, allow = {}, block = {};
	const struct journal_filter *f;
	struct observation *ob = NULL;
	int r;

	r = observers_find(t, call_observers(call), call_owner(call), a->targetId, true, &ob);
	if (r < 0)
		return r;
	f = observation_filter(ob);
	append_kinds(&kinds, f->kinds);
	events_append_parts(&allow, f->allow);
	events_append_parts(&block, f->block);
	result_json(res, "{filters: {kinds: [?], urlAllowlist: [?], urlBlocklist: [?], maxBodyBytes: ?}}",
		    JSON_RAW(str_text(&kinds)), JSON_RAW(str_text(&allow)), JSON_RAW(str_text(&block)), journal_filter_text_max(f));
	return 0;
}

const struct tool tool_cdp_get_filters = TARGET_TOOL(
		.name = "cdp_get_filters", .title = "Get filters", .about = "Read the filters of an observed target.",
		.output_schema =
			"{\"type\":\"object\",\"properties\":{\"filters\":{\"type\":\"object\",\"properties\":{"
			"\"kinds\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
			"\"urlAllowlist\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
			"\"urlBlocklist\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"maxBodyBytes\":{\"type\":\"integer\"}},"
			"\"required\":[\"kinds\",\"urlAllowlist\",\"urlBlocklist\",\"maxBodyBytes\"]}},\"required\":[\"filters\"]}",
		.read_only = true, .run = get_filters_run);
