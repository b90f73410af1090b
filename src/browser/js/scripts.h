/*
 * The page scripts of this folder as one program text. Evaluated in the isolated world of a document it defines
 * `browserd`, unless that is there, whose functions take one argument object and return a value, or
 * {failure: {code, message, details}}.
 */
#pragma once

extern const char page_scripts[];
