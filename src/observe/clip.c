#include "observe/clip.h"

#include <string.h>

void clip_done(struct clip *c)
{
	str_done(&c->text);
}

size_t clip_fit(const char *text, size_t len, size_t limit)
{
	if (len <= limit)
		return len;
	while (limit > 0 && ((unsigned char)text[limit] & 0xc0) == 0x80)
		limit--;
	return limit;
}

void clip_append_len(struct clip *c, const char *text, size_t len)
{
	size_t fits = c->missing ? 0 : clip_fit(text, len, c->limit - c->text.len);

	str_append_len(&c->text, text, fits);
	c->missing += len - fits;
}

void clip_append(struct clip *c, const char *text)
{
	clip_append_len(c, text, strlen(text));
}

void clip_mark(struct str *out, size_t missing)
{
	str_appendf(out, "... [%zu bytes more]", missing);
}

const char *clip_text(struct clip *c)
{
	if (c->missing)
		clip_mark(&c->text, c->missing);
	return str_text(&c->text);
}
