#include "engine/navigation.h"

#include "engine/cdp/cdp.h"

void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url)
{
	cdp_send_or_post(t, s, call, "Page.navigate", "{url: ?}", url);
}

const char *engine_navigation_error(const struct engine_call *call)
{
	return json_str(cdp_call_result(call), "errorText");
}
