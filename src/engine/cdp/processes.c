#include "engine/processes.h"

#include <stdlib.h>

#include "engine/cdp/cdp.h"

const char *engine_process_argument(const struct engine_target *s, enum engine_process kind)
{
	return kind == ENGINE_RENDERER ? "--type=renderer" : "--type=gpu-process";
}

const char *engine_drawing_thread(const struct engine_target *s)
{
	return "VizCompositorTh"; /* VizCompositorThread, of which the kernel keeps 15 bytes */
}

int engine_ask_sign(struct engine_target *root, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		    void *data)
{
	return cdp_request(root, call, replied, data, "Browser.getVersion", "{}");
}

/* CDP does not name the process, but ids that Chromium makes in it begin with its pid. */
int engine_ask_process(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		       void *data)
{
	int r;

	cdp_post(s, "DOM.enable", "{}");
	r = cdp_request(s, call, replied, data, "DOM.performSearch", "{query: '#browserd'}");
	cdp_post(s, "DOM.disable", "{}");
	return r;
}

/* The id of a search in a document is the pid of its process, a point and another number. */
pid_t engine_process_of(const struct engine_call *call)
{
	const char *id = json_text(cdp_call_result(call), "searchId");
	char *end;
	long pid = strtol(id, &end, 10);

	return call->result == 0 && end != id && *end == '.' && pid > 1 && pid <= INT32_MAX ? (pid_t)pid : 0;
}

int engine_collect_garbage(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
			   void *data)
{
	if (call)
		return cdp_request(s, call, replied, data, "HeapProfiler.collectGarbage", "{}");
	cdp_post(s, "HeapProfiler.collectGarbage", "{}");
	return 0;
}

int engine_begin_count(struct task *t, struct engine_target *root)
{
	return cdp_call(t, root, NULL, "Tracing.start",
			"{transferMode: 'ReportEvents', traceConfig: {excludedCategories: ['*'], "
			"includedCategories: ['disabled-by-default-memory-infra'], memoryDumpConfig: {triggers: []}}}");
}

int engine_count_blobs(struct task *t, struct engine_target *root)
{
	return cdp_call(t, root, NULL, "Tracing.requestMemoryDump", "{levelOfDetail: 'light'}");
}

void engine_end_count(struct engine_target *root)
{
	cdp_post(root, "Tracing.end", "{}");
}
