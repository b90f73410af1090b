#include "view/packed.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/macros.h"

#define LEVEL 1 /* the fastest one: rows of a page are so much alike that others save little */

bool text_pack(struct str *text, struct packed *ret)
{
	uLongf len = compressBound(text->len);
	void *data = must(malloc(len));

	if (compress2(data, &len, (const Bytef *)str_text(text), text->len, LEVEL) != Z_OK || len >= text->len) {
		free(data);
		return false;
	}
	*ret = (struct packed){ .data = must(realloc(data, len)), .len = len, .whole = text->len };
	str_done(text);
	*text = (struct str){};
	return true;
}

void text_unpack(struct packed *from, struct str *ret)
{
	uLongf len = from->whole;

	str_reserve(ret, from->whole);
	must(uncompress((Bytef *)ret->data, &len, from->data, from->len) == Z_OK ? ret->data : NULL);
	ret->len = len;
	ret->data[len] = '\0';
	packed_done(from);
}

void packed_done(struct packed *p)
{
	free(p->data);
	*p = (struct packed){};
}
