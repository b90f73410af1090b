/*
 * Tabs that a person lends to agents: pages of the browser that the person uses (browser_options.endpoints), whose origins the person has
 * offered (browser_options.lent_origins). A lent context is the browser's own context, of which it has one such tab, the windows that this
 * opens, and the tabs that are opened in it here; nothing else of that browser can be reached through it:
 *
 * - main frames show offered origins only (page/fence.h);
 * - cookies, storage states, permissions, downloads and requests outside of pages, which belong to the whole browser, are refused
 *   (context_refuse_lent()).
 *
 * When the context is freed, the tab stays as the person's, and what was opened here is closed.
 */
#pragma once

#include "browser/context.h"
#include "engine/targets.h"

/*
 * The tabs on offer, in `ret`, owned by the caller. Starts the connection. Suspends. -ERR_BROWSER_ERROR: the browser cannot be reached, or
 * does not say which of its contexts is its own.
 */
int lent_tabs(struct task *t, struct browser *b, struct target_list *ret);
/* The context of another session has that tab. */
bool lent_is_taken(struct browser *b, const char *target_id);
/* As context_new(), with that tab. Suspends. -ERR_INVALID_PARAMETERS: it is not on offer, or lent already. */
int context_new_lent(struct task *t, struct browser *b, const char *target_id, struct context **ret);
