#include "page/nodes.h"

#include <errno.h>

#include "engine/cdp/cdp.h"
#include "page/internal.h"

int nodes_serialize(struct task *t, struct frame *f, const char *expression, bool shadow, struct json **ret)
{
	return cdp_call(t, f->at.target, ret, "Runtime.evaluate",
			"{expression: ?, contextId: ?, objectGroup: 'browserd', serializationOptions: {serialization: 'deep', "
			"maxDepth: 1, additionalParameters: {maxNodeDepth: 0, includeShadowTree: ?}}}",
			expression, f->at.own_world, shadow ? "all" : "none");
}

const struct json *nodes_list(const struct json *reply)
{
	return json_get(reply, "result.result.deepSerializedValue.value");
}

int nodes_await(struct task *t, struct engine_call *call)
{
	int r = call->method ? engine_await(t, call) : 0;

	return r == -EREMOTE ? 0 : r;
}
