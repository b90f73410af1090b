#include "engine/features.h"

const struct engine_feature_name engine_feature_table[] = {
	{ ENGINE_VIDEOS, "videos of pages" },
	{ ENGINE_PAGE_TOOLS, "tools that pages register (WebMCP)" },
	{ ENGINE_PHONES, "pages laid out for a phone, with a touch screen" },
	{ ENGINE_MEDIA, "emulation of CSS media (print, colour schemes, reduced motion, contrast)" },
	{ ENGINE_SCRIPTS_OFF, "pages whose scripts do not run" },
	{ ENGINE_CSP_OFF, "pages without their content security policies" },
	{ ENGINE_ORIGIN_LIMITS, "limits of what an origin stores" },
	{ ENGINE_RARE_PERMISSIONS,
	  "permissions other than geolocation, notifications, midi, midi-sysex and those of the clipboard" },
	{ ENGINE_CERTIFICATES, "requests of agents' code that ignore invalid certificates where pages do not" },
	{ ENGINE_PROCESSES, "knowledge of whose pages take the memory and the time of its processes" },
	{ ENGINE_REST, "pages that rest between calls" },
	{},
};
