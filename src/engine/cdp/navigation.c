#include "engine/navigation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cdp/cdp.h"

void engine_report_documents(struct engine_target *s)
{
	cdp_post(s, "Page.enable", "{}");
	cdp_post(s, "Page.setLifecycleEventsEnabled", "{enabled: true}");
}

void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url)
{
	cdp_send_or_post(t, s, call, "Page.navigate", "{url: ?}", url);
}

void engine_navigate_frame(struct task *t, struct engine_target *s, struct engine_call *call, const char *frame, const char *url)
{
	cdp_send(t, s, call, "Page.navigate", "{url: ?, frameId: ?}", url, frame);
}

struct engine_navigated engine_navigated(const struct engine_call *call)
{
	const struct json *result = cdp_call_result(call);
	const char *error = json_str(result, "errorText");

	return (struct engine_navigated){
		.document = json_str(result, "loaderId"),
		.error = error,
		.is_aborted = error && strcmp(error, "net::ERR_ABORTED") == 0,
		.is_unproxied = error && strcmp(error, "net::ERR_SOCKS_CONNECTION_FAILED") == 0,
		.is_download = json_bool(result, "isDownload", false),
	};
}

void engine_stop_loading(struct engine_target *s)
{
	cdp_post(s, "Page.stopLoading", "{}");
}

int engine_reload(struct task *t, _borrowed_ struct engine_target *s)
{
	return cdp_call(t, s, NULL, "Page.reload", "{}");
}

int engine_confirm_navigations(struct task *t, _borrowed_ struct engine_target *s)
{
	return cdp_call(t, s, NULL, "Page.getNavigationHistory", "{}");
}

/* ---- history ---- */

int engine_history(struct task *t, _borrowed_ struct engine_target *s, struct page_history *ret)
{
	const struct json *entries;
	int r;

	*ret = (struct page_history){};
	r = cdp_call(t, s, &ret->reply, "Page.getNavigationHistory", "{}");
	if (r < 0)
		return r;
	entries = json_get(ret->reply, "result.entries");
	ret->current = (size_t)MAX(json_int(ret->reply, "result.currentIndex", 0), 0);
	ret->items = must(calloc(json_count(entries) + 1, sizeof(*ret->items)));
	json_foreach(entry, entries)
		ret->items[ret->count++] = (struct history_entry){ (int)json_int(entry, "id", -1), json_text(entry, "url") };
	return 0;
}

int engine_show_entry(struct task *t, _borrowed_ struct engine_target *s, int id)
{
	return cdp_call(t, s, NULL, "Page.navigateToHistoryEntry", "{entryId: ?}", id);
}
