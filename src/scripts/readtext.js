/*
 * Text of a page as Markdown: what separates lines, and what is escaped so that a text is no structure.
 *
 * While a text is put together, BREAK stands for the end of a line and PART for the edge of something that is no part of the text
 * around it. Texts of pages have neither, as they lose their control characters.
 */
import { collapseSpace } from './raw.js';

export const BREAK = '\x01', PART = '\x02';
export const FRAME_PLACE = '\x1f'; /* the server puts the text of a frame here */

const UNPRINTED = /[\x00-\x08\x0e-\x1f\x7f]/g;
const PARAGRAPH_END = /\x01\s*\x01[\x01\s]*/;
/* What begins a heading, an item, a quotation, a row, a fence or a line across, and the sign of what the server says has been left out. */
const STRUCTURE = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|\||`{3}|~{3}|…|:(?=\s)|(?:[-_*=]\s*){3,}$)/;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;

export const cleaned = text => text.replace(UNPRINTED, '');

/* A text that begins a line. */
function escapedLine(line) {
	if (STRUCTURE.test(line))
		return '\\' + line;
	return line.replace(NUMBERED, '$1\\$2');
}

/* The paragraphs of a text, each a list of its lines. */
export function paragraphsIn(text) {
	return text.split(PARAGRAPH_END).map(paragraph => paragraph.split(/[\x01\x02]/).map(collapseSpace).filter(Boolean).map(escapedLine))
		.filter(lines => lines.length);
}

/* A text on one line, with `separator` between its parts. */
export const onOneLine = (text, separator) => text.split(/[\x01\x02]/).map(collapseSpace).filter(Boolean).join(separator);

/* `text` in backticks, more of them than in the text. */
export function codeSpan(text) {
	if (!text.includes('`'))
		return `\`${text}\``;
	const ticks = '`'.repeat(Math.max(...text.match(/`+/g).map(run => run.length)) + 1);
	return `${ticks} ${text} ${ticks}`;
}

/* The lines of a code block, within a fence that is longer than what looks like one in the text. */
export function codeLines(text, language) {
	const lines = cleaned(text.replace(/\r\n?/g, '\n')).split('\n').map(line => line.trimEnd());
	while (lines.length && !lines[0])
		lines.shift();
	while (lines.length && !lines.at(-1))
		lines.pop();
	if (!lines.length)
		return [];
	const inner = lines.reduce((longest, line) => Math.max(longest, /^\s*(`*)/.exec(line)[1].length), 2);
	const fence = '`'.repeat(inner + 1);
	return [fence + language, ...lines, fence];
}

/* The part that all blank lines between two texts begin with: they are in the same quotations. */
export function commonStart(one, other) {
	let length = 0;
	while (length < one.length && one[length] === other[length])
		length++;
	return one.slice(0, length).trimEnd();
}
