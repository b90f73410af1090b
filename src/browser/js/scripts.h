/*
 * The page scripts of this folder as one program text. Evaluated in the isolated world of a document it defines
 * `browserd`, unless that is there, whose functions take one argument object and return a value, or
 * {failure: {code, message, details}}.
 */
#pragma once

extern const char page_scripts[];

/* The client side of a caller's code (code/): evaluated in the documents of a sandbox it defines browserd.run and .answer. */
extern const char code_scripts[];
/* What answers name a page by, for documents without the library: a function of the longest title, which gives {url, title}. */
extern const char shown_script[];
/*
 * For the page's own world: a function of a name for events that nobody else knows and of Chromium's getEventListeners(),
 * after which js/clickable.js gets answers there.
 */
extern const char listeners_script[];
/* Declares packValue() and unpackValue(), for functions that are put together from text. */
extern const char value_scripts[];
