/*
 * What an operation on a document needs to know of its frame. The page keeps the record up to date, and operations read it again after each
 * wait; the caller holds the frame until they return.
 */
#pragma once

#include "engine/engine.h"

struct engine_frame {
	struct engine_target
		*target; /* that serves it, its page's or one of its own; NULL once it was removed, or the page is gone */
	struct engine_frame *parent; /* NULL: it has none, or an unknown one, or was removed */
	char id[ENGINE_ID_SIZE];
	/* Execution contexts; 0: none. */
	int own_world;  /* the isolated world of the page scripts */
	int page_world; /* that of the page's own scripts */
};
