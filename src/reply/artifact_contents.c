#include "reply/artifact_contents.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/limits.h"

static bool artifact_contents_is_text(const char *type, const struct str *data)
{
	size_t n;

	if (strncmp(type, "text/", 5) != 0 && strcmp(type, "application/json") != 0)
		return false;
	for (size_t at = 0; at < data->len; at += n) {
		n = utf8_sequence(data->data + at, data->len - at);
		if (n == 0)
			return false;
	}
	return true;
}

static void append_contents(struct str *out, const struct artifact *shown, const struct str *data)
{
	str_json(out, "{uri: ?, mimeType: ?,", shown->uri, shown->type);
	if (artifact_contents_is_text(shown->type, data)) {
		str_append(out, "\"text\":");
		str_append_quoted(out, str_text(data), data->len);
	} else {
		str_append(out, "\"blob\":\"");
		base64_encode(out, (const uint8_t *)str_text(data), data->len);
		str_append_char(out, '"');
	}
	str_append_char(out, '}');
}

int artifact_read(struct task *t, struct artifacts *a, uint64_t owner, const char *uri, struct str *out)
{
	_cleanup_(str_done) struct str data = {};
	struct output_file file;
	const struct artifact *shown = artifacts_by_uri(a, owner, uri, &file);
	int r;

	if (!shown)
		return -ENOENT;
	r = output_read(t, &file, LIMIT_ARTIFACT, &data);
	if (r == 0)
		append_contents(out, shown, &data);
	return r;
}
