/*
 * What not every engine can do. Tools name what they need, and the lists of tools, docs/tools.md and errors follow from that: nothing asks which
 * engine there is.
 */
#pragma once

enum engine_feature {
	ENGINE_VIDEOS = 1 << 0,     /* engine/capture.h */
	ENGINE_PAGE_TOOLS = 1 << 1, /* engine/tools.h */
	/* engine/emulate.h */
	ENGINE_PHONES = 1 << 2,           /* screen.is_mobile, engine_enable_touch() */
	ENGINE_MEDIA = 1 << 3,            /* engine_set_media() */
	ENGINE_SCRIPTS_OFF = 1 << 4,      /* engine_disable_scripts() */
	ENGINE_CSP_OFF = 1 << 5,          /* engine_bypass_csp() */
	ENGINE_ORIGIN_LIMITS = 1 << 6,    /* engine_limit_storage() */
	ENGINE_REST = 1 << 7,             /* engine_freeze() */
	ENGINE_RARE_PERMISSIONS = 1 << 8, /* engine_grant(): each that engine_knows_permission() knows */
	ENGINE_PROCESSES = 1 << 9,        /* engine_ask_process(), engine_count_blobs() */
	ENGINE_CERTIFICATES = 1 << 10,    /* engine_ignore_certificates() */
};

/* One row for each; ends with {}. `what`: in words for clients, as in "needs videos of pages". */
struct engine_feature_name {
	enum engine_feature feature;
	const char *what;
};
extern const struct engine_feature_name engine_feature_table[];

struct engine_options;

/* The features of a browser that is started with these options, as a union of bits. */
unsigned engine_features(const struct engine_options *o);
/* MiB that such a browser without pages was measured to take, with the server. */
unsigned engine_empty_memory(const struct engine_options *o);
