#include "mcp/result.h"

#include <string.h>

#include "base/display.h"
#include "base/json.h"
#include "base/limits.h"

#define TEXT_TYPE "\"text\""

void result_done(struct result *r)
{
	str_done(&r->content);
	str_done(&r->links);
	str_done(&r->structured);
}

void result_reset(struct result *r)
{
	str_reset(&r->content);
	str_reset(&r->links);
	str_reset(&r->structured);
	r->is_error = false;
}

static void begin_item(struct result *r)
{
	if (r->content.len)
		str_append_char(&r->content, ',');
}

void result_link(struct result *r, const char *uri, const char *name, const char *mime_type, uint64_t size)
{
	if (r->links.len)
		str_append_char(&r->links, ',');
	str_json(&r->links, "{type: 'resource_link', uri: ?, name: ?, mimeType: ?, size: ?}", uri, name, mime_type, size);
}

void result_take_links(struct result *r, struct result *from)
{
	str_done(&r->links);
	r->links = from->links;
	from->links = (struct str){};
}

void result_text(struct result *r, const char *text)
{
	_cleanup_(str_done) struct str shown = {};

	if (!is_printable(text))
		display_answer(&shown, text);
	begin_item(r);
	str_json(&r->content, "{type: 'text', text: ?}", shown.len ? shown.data : text);
}

/* Base64 needs no escaping, so it is copied once, unchanged. */
static void add_media(struct result *r, const char *type, const char *base64, const char *mime_type)
{
	begin_item(r);
	str_reserve(&r->content, strlen(base64) + 64);
	str_json(&r->content, "{type: ?, mimeType: ?, data: ", type, mime_type);
	str_append_char(&r->content, '"');
	str_append(&r->content, base64);
	str_append(&r->content, "\"}");
}

void result_image(struct result *r, const char *base64, const char *mime_type)
{
	add_media(r, "image", base64, mime_type);
}

void result_audio(struct result *r, const char *base64, const char *mime_type)
{
	add_media(r, "audio", base64, mime_type);
}

void result_resource(struct result *r, const char *uri, const char *mime_type, const char *text)
{
	begin_item(r);
	str_json(&r->content, "{type: 'resource', resource: {uri: ?, mimeType: ?, text: ?}}", uri, mime_type, text);
}

static void result_append_text(struct str *texts, const char *element, size_t len)
{
	_cleanup_(json_freep) struct json *item = NULL;

	if (json_parse(element, len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &item) < 0)
		return;
	if (texts->len)
		str_append_char(texts, '\n');
	str_append(texts, json_text(item, "text"));
}

static void result_append_elements(struct str *to, const struct str *elements)
{
	if (to->len && elements->len)
		str_append_char(to, ',');
	str_append_len(to, str_text(elements), elements->len);
}

void result_split(struct result *r, struct str *texts, struct result *to)
{
	_cleanup_(str_done) struct str array = {};
	const char *element;
	size_t at = 0, len;

	str_appendf(&array, "[%s]", str_text(&r->content));
	while ((element = json_raw_next(array.data, array.len, &at, &len))) {
		size_t type_len;
		const char *type = json_raw(element, len, "type", &type_len);

		if (type && type_len == strlen(TEXT_TYPE) && memcmp(type, TEXT_TYPE, type_len) == 0) {
			result_append_text(texts, element, len);
			continue;
		}
		begin_item(to);
		str_append_len(&to->content, element, len);
	}
	result_append_elements(&to->links, &r->links);
	result_reset(r);
}

void result_append(struct result *r, const struct result *more)
{
	result_append_elements(&r->content, &more->content);
}

void result_json_values(struct result *r, uint64_t types, const char *template, ...)
{
	va_list ap;

	str_reset(&r->structured);
	va_start(ap, template);
	str_vjson(&r->structured, types, template, ap);
	va_end(ap);
	result_text(r, str_text(&r->structured));
}
