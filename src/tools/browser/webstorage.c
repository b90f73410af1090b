/* browser_localstorage_* and browser_sessionstorage_*: list, get, set, delete, clear. */
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "page/frame.h"
#include "scripts/scripts.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct storage_nothing {
	const char *sessionId;
};
struct storage_key {
	const char *sessionId, *key;
};
struct storage_item {
	const char *sessionId, *key, *value;
};

static const struct param storage_nothing_params[] = {
	PARAM(storage_nothing, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};
static const struct param storage_key_params[] = {
	PARAM(storage_key, key, "Key of the item", .required = true),
	PARAM(storage_key, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};
static const struct param storage_item_params[] = {
	PARAM(storage_item, key, "Key of the item", .required = true),
	PARAM(storage_item, value, "Its value", .required = true, .max_length = LIMIT_STORED_VALUE),
	PARAM(storage_item, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* In an isolated world, where the page cannot have replaced the storage's functions. `ret`: {value}. */
static int webstorage_run_script(struct browse *b, const char *storage, const char *operation, const char *key, const char *value,
				 struct json **ret)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(b->page));
	_cleanup_(json_freep) struct json *result = NULL;
	_cleanup_(str_done) struct str call = {};
	int r;

	str_append(&call, web_storage_script);
	str_append(&call, "(...");
	str_json(&call, "[?, ?, ?, ?]", storage, operation, key, value);
	str_append(&call, ")");
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = frame_probe(b->call.t, f, &result, call.data);
	if (r < 0)
		return r;
	if (json_str(result, "error"))
		return browse_fail_call(&b->call, -ERR_BROWSER_ERROR, "%s", response_row(b->call.t, json_str(result, "error")));
	*ret = TAKE_PTR(result);
	return 0;
}

static int webstorage_list(struct browse *b, const char *storage)
{
	_cleanup_(json_freep) struct json *result = NULL;
	int r;

	r = webstorage_run_script(b, storage, "list", NULL, NULL, &result);
	if (r < 0)
		return r;
	json_foreach(item, json_get(result, "value")) {
		const struct json *name = json_first(item);

		response_add(&b->response.result, "%s=%s", response_text(&b->response, json_text(name, NULL)),
			     response_text(&b->response, json_text(json_next(name), NULL)));
	}
	if (!json_count(json_get(result, "value")))
		response_add(&b->response.result, "No %s items found", storage);
	browse_code(b, "%s.items();", storage);
	return 0;
}

static int webstorage_get(struct browse *b, const char *storage, const char *key)
{
	_cleanup_(json_freep) struct json *result = NULL;
	int r;

	r = webstorage_run_script(b, storage, "get", key, NULL, &result);
	if (r < 0)
		return r;
	if (json_str(result, "value"))
		response_add(&b->response.result, "%s=%s", key, response_text(&b->response, json_str(result, "value")));
	else
		response_add(&b->response.result, "%s key '%s' not found", storage, key);
	browse_code(b, "%s.getItem(%s);", storage, browse_quote(&b->call, key));
	return 0;
}

static int webstorage_set(struct browse *b, const char *storage, const struct storage_item *a)
{
	_cleanup_(json_freep) struct json *result = NULL;
	int r;

	r = webstorage_run_script(b, storage, "set", a->key, a->value, &result);
	if (r == 0)
		browse_code(b, "%s.setItem(%s, %s);", storage, browse_quote(&b->call, a->key), browse_quote(&b->call, a->value));
	return r;
}

static int webstorage_delete(struct browse *b, const char *storage, const char *key)
{
	_cleanup_(json_freep) struct json *result = NULL;
	int r;

	r = webstorage_run_script(b, storage, "delete", key, NULL, &result);
	if (r == 0)
		browse_code(b, "%s.removeItem(%s);", storage, browse_quote(&b->call, key));
	return r;
}

static int webstorage_clear(struct browse *b, const char *storage)
{
	_cleanup_(json_freep) struct json *result = NULL;
	int r;

	r = webstorage_run_script(b, storage, "clear", NULL, NULL, &result);
	if (r == 0)
		browse_code(b, "%s.clear();", storage);
	return r;
}

#define ROW(storage, operation, title, args, text, ...) \
	const struct tool tool_browser_##storage##_##operation = \
		BROWSE_TOOL("browser_" #storage "_" #operation, title, args, text, \
			    (&(const struct browse_tool){ .run = storage##_##operation }), .capability = "storage", __VA_ARGS__)

/* The tools of one kind of storage: the name in tools and the property of the window. */
#define TOOLS(name, property) \
	static int name##_list(struct browse *b, const void *args) \
	{ \
		return webstorage_list(b, #property); \
	} \
	static int name##_get(struct browse *b, const void *args) \
	{ \
		return webstorage_get(b, #property, ((const struct storage_key *)args)->key); \
	} \
	static int name##_set(struct browse *b, const void *args) \
	{ \
		return webstorage_set(b, #property, args); \
	} \
	static int name##_delete(struct browse *b, const void *args) \
	{ \
		return webstorage_delete(b, #property, ((const struct storage_key *)args)->key); \
	} \
	static int name##_clear(struct browse *b, const void *args) \
	{ \
		return webstorage_clear(b, #property); \
	} \
	ROW(name, list, "List " #property, storage_nothing, "List the items in the page's " #property ".", .read_only = true); \
	ROW(name, get, "Get " #property " item", storage_key, "Show an item of the page's " #property ".", .read_only = true); \
	ROW(name, set, "Set " #property " item", storage_item, "Set an item in the page's " #property "."); \
	ROW(name, delete, "Delete " #property " item", storage_key, "Delete an item from the page's " #property "."); \
	ROW(name, clear, "Clear " #property, storage_nothing, "Delete all items of the page's " #property ".")

TOOLS(localstorage, localStorage);
TOOLS(sessionstorage, sessionStorage);
