/* In place of resp.c where hiredis is missing. */
#include "store/resp.h"

#include <errno.h>

const bool resp_available = false;

struct resp *resp_free(struct resp *r)
{
	return NULL;
}

void resp_format(struct str *out, const struct resp_word *words, size_t count)
{
}

struct resp_reader *resp_reader_new(void)
{
	return NULL;
}

struct resp_reader *resp_reader_free(struct resp_reader *r)
{
	return NULL;
}

int resp_reader_feed(struct resp_reader *r, const char *data, size_t len)
{
	return -EPROTO;
}

int resp_reader_next(struct resp_reader *r, struct resp **ret)
{
	return -EPROTO;
}
