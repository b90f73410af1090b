/* Texts of a page as the rows of an outline (outline.js) have them: marks, and quotes where a text could be read as notation. */
import { ROLE_WORDS } from './outlineroles.js';

export const NAME_MAX = 240;

/*
 * The marks of view/marks.c, which shows another character in their place. No text of a page contains them, because they are escaped there.
 * MARK_QUOTE: the first quote of a text in quotes; MARK_PART: "|" before a part; MARK_CELL: "," before a cell; MARK_CONTENTS: ":" behind a label;
 * MARK_REF: the blank before a ref; MARK_FOCUS: the blank before "active".
 */
const MARK_QUOTE = '\x01', MARK_PART = '\x02', MARK_CELL = '\x03', MARK_CONTENTS = '\x04';
export const MARK_REF = '\x05', MARK_FOCUS = '\x06';

export const BETWEEN_PARTS = ` ${MARK_PART} `, BETWEEN_CELLS = `${MARK_CELL} `;

/* Characters that are not seen, as a part of a class. They would hide the words that the patterns look for: "e<zero width space>5". */
const HIDDEN = String.raw`\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\udb40`;
const UNSAFE = new RegExp(String.raw`["…${HIDDEN}]|\s\|\s|:(?:\s|$)|(?:^|[^A-Za-z0-9_])(?:f\d+)?[ecr]\d+(?![A-Za-z0-9_])|^(?:[-~+>*#=\x60|\s]|\d+[.)] )`);
export const STATE_AT_END = /(?:^|\s)(?:active|activedescendant|aria-hidden|busy|checked|collapsed|current|disabled|editable|expanded|file|invalid|max|min|pressed|readonly|required|selected|sort)(?:=\S*)?$/;
const UNSAFE_ADDRESS = new RegExp(String.raw`[\s"|…${HIDDEN}]|:$|^(?:f\d+)?[ecr]\d+$`);
const FIRST_WORD = /^[A-Za-z0-9]+/;
const ESCAPED = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069…]/g;
const escape = character => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0');

export const inQuotes = text => MARK_QUOTE + JSON.stringify(text).replace(ESCAPED, escape).slice(1);
const isSafe = text => !UNSAFE.test(text) && !ROLE_WORDS.has(FIRST_WORD.exec(text)?.[0]);
export const plain = text => isSafe(text) ? text : inQuotes(text);
/* The states of an option are behind its name. */
export const optionName = ({ name }) => STATE_AT_END.test(name) ? inQuotes(shorten(name)) : plain(shorten(name));
export const shorten = text => text.length > NAME_MAX ? text.slice(0, NAME_MAX).toWellFormed() + '...' : text;
export const bare = text => text.replace(/[\s:*]+$/, '').toLowerCase();
export const joinLabel = (label, content) => label === '' ? content : content === '' ? label : `${label}${MARK_CONTENTS} ${content}`;
export const addressText = url => {
	const short = url.replace(/^(data:[^,]*,).*$/s, '$1...');
	return UNSAFE_ADDRESS.test(short) ? inQuotes(short) : short;
};
