#include "engine/cookies.h"

#include <stdlib.h>

#include "base/json.h"

void cookies_done(struct cookies *c)
{
	free(c->items);
	json_freep(&c->reply);
}

struct cookie cookie_read(const struct json *from)
{
	const char *same_site = json_str(from, "sameSite");

	return (struct cookie){
		.name = json_text(from, "name"),
		.value = json_text(from, "value"),
		.domain = json_text(from, "domain"),
		.path = json_text(from, "path"),
		.expires = json_num(from, "expires", -1),
		.http_only = json_bool(from, "httpOnly", false),
		.secure = json_bool(from, "secure", false),
		.same_site = same_site ? same_site : "Lax",
		.partition = json_member(from, "partitionKey"),
	};
}
