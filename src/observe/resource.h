/* What requests are for. */
#pragma once

/* As far as code tells it apart; what is shown of a request is the browser's word. */
enum resource_kind {
	RESOURCE_OTHER,
	RESOURCE_DOCUMENT,
	RESOURCE_STYLESHEET,
	RESOURCE_SCRIPT,
	RESOURCE_XHR,
	RESOURCE_FETCH,
	RESOURCE_EVENT_SOURCE,
};

/* By the browser's word for it ("document", "script"), in any case. */
enum resource_kind resource_kind_find(const char *word);
