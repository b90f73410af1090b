#include "session/sleep_kept.h"

#include <stdlib.h>

#include "session/internal.h"

static void pack(struct sleep_text *k)
{
	if (k->text.len)
		text_pack(&k->text, &k->packed);
}

void sleep_text_unpack(struct sleep_text *k)
{
	if (k->packed.data)
		text_unpack(&k->packed, &k->text);
}

static size_t size_of(const struct sleep_text *k)
{
	return k->packed.data ? k->packed.len : k->text.len;
}

void sleep_text_done(struct sleep_text *k)
{
	str_done(&k->text);
	packed_done(&k->packed);
}

struct sleep *sleep_free(struct sleep *k)
{
	if (!k)
		return NULL;
	sleep_text_done(&k->storage);
	sleep_text_done(&k->pages);
	sleep_text_done(&k->fields);
	free(k->url);
	free(k->title);
	free(k);
	return NULL;
}

void sleep_pack(struct sleep *k)
{
	pack(&k->storage);
	pack(&k->pages);
	pack(&k->fields);
	k->bytes = size_of(&k->storage) + size_of(&k->pages) + size_of(&k->fields);
}

void sleep_ended(const struct session *s)
{
	if (s->sleep)
		s->registry->sleeper->kept -= s->sleep->bytes;
}

void sleep_save(struct session *s, struct str *out)
{
	sleep_text_unpack(&s->sleep->storage);
	sleep_text_unpack(&s->sleep->pages);
	str_appendf(out, "%s,%s", str_text(&s->sleep->storage.text), str_text(&s->sleep->pages.text));
	sleep_pack(s->sleep);
}

bool session_sleeping_page(const struct session *s, const char **ret_url, const char **ret_title)
{
	if (!s->sleep)
		return false;
	*ret_url = s->sleep->url;
	*ret_title = s->sleep->title;
	return true;
}
