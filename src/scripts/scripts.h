/*
 * JavaScript programs, made from the modules of this folder by embed.py. Where a program is called a function, it is an expression:
 * append its arguments in parentheses, or give it to the browser as a functionDeclaration.
 */
#pragma once

/*
 * library.js. Evaluated in the isolated world of a document it defines `browserd`, unless that is there, whose functions take one
 * argument object and return a value, or {failure: {code, reason, facts}}.
 */
extern const char page_scripts[];
/* code/run.js, the client side of a caller's code: evaluated in the documents of a sandbox it defines browserd.run and .answer. */
extern const char code_scripts[];

/* The functions of functions/: what each takes, gives and is for stands there. They are called in documents without the library. */
extern const char call_expression_script[];
extern const char choose_nothing_script[];
extern const char clipboard_script[];
extern const char count_filled_script[];
extern const char evaluate_script[];
extern const char exposed_script[];
extern const char fill_databases_script[];
extern const char fill_storage_script[];
extern const char keep_page_script[];
extern const char listeners_script[];
extern const char matching_texts_script[];
extern const char no_service_workers_script[];
extern const char page_clipboard_script[];
extern const char parse_script[];
extern const char pointer_lock_script[];
extern const char read_databases_script[];
extern const char read_storage_script[];
extern const char restore_page_script[];
extern const char shown_script[];
extern const char web_storage_script[];
extern const char window_script[];
