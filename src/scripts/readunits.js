/*
 * Units of a text (read.js): {kind, lines, first, rest, own, list, path, ...}. `first` and `rest` begin the lines, `own` is the mark of the
 * item that the unit begins, `path` the headings above, `list` and `table` what it is a part of.
 */
import { collapseSpace } from './raw.js';
import { commonStart, FRAME_PLACE } from './readtext.js';

const NEAREST = 8; /* sections with the same headings that are read, or headings that are named instead of one that is not there */
const NAME_LENGTH = 100;
const COMPARED_LENGTH = 200;

const shortName = (text, length) => text.length > length ? text.slice(0, length).toWellFormed() + '…' : text;
const pathOf = ({ path }) => path.map(({ text }) => shortName(text, NAME_LENGTH)).join(' > ');

/* ---- a section ---- */

const lower = text => collapseSpace(text).toLowerCase();
const lettersOf = text => lower(text).replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
const endsPath = (path, name, of) => ` > ${path.map(({ text }) => of(text)).join(' > ')}`.endsWith(` > ${name}`);

/* Each compares more loosely than the one before. */
function comparisons(name) {
	const exact = lower(name), letters = lettersOf(name);
	const parts = name.split(' > ').map(lettersOf).join(' > ');
	return [
		({ path }) => endsPath(path, exact, lower),
		({ path }) => letters !== '' && endsPath(path, parts, lettersOf),
		({ path }) => letters !== '' && ` ${lettersOf(path.at(-1).text)} `.includes(` ${letters} `),
		({ path }) => letters !== '' && lettersOf(path.at(-1).text).includes(letters),
	];
}

/* The units below the heading, up to the next one of its level. */
function sectionAt(units, heading) {
	const start = units.indexOf(heading);
	const length = units.slice(start + 1).findIndex(({ kind, level }) => kind === 'heading' && level <= heading.level);
	return length < 0 ? units.slice(start) : units.slice(start, start + 1 + length);
}

/* {units}, or {missing: {headings, isAmbiguous}}: there is no such section, or there are several. */
export function unitsOfSection(units, name) {
	const headings = units.filter(({ kind }) => kind === 'heading');
	for (const matches of comparisons(name)) {
		const found = headings.filter(matches);
		const paths = new Set(found.map(pathOf));
		if (paths.size === 1)
			return { units: found.slice(0, NEAREST).flatMap(heading => sectionAt(units, heading)) };
		if (paths.size > 1)
			return { missing: { headings: [...paths].slice(0, NEAREST), isAmbiguous: true } };
	}
	return { missing: { headings: nearestNames(headings, name), isAmbiguous: false } };
}

function pairsOf(text) {
	const letters = lettersOf(text.slice(0, COMPARED_LENGTH));
	return new Set(Array.from({ length: Math.max(letters.length - 1, 0) }, (none, i) => letters.slice(i, i + 2)));
}

/* The share of pairs of letters that both have (Dice's coefficient). */
function likeness(one, other) {
	let common = 0;
	for (const pair of one)
		common += other.has(pair) ? 1 : 0;
	return 2 * common / (one.size + other.size || 1);
}

function nearestNames(headings, name) {
	const wanted = pairsOf(name);
	const ranked = headings.map((heading, at) => ({ text: heading.path.at(-1).text, at, rank: likeness(wanted, pairsOf(heading.path.at(-1).text)) }))
		.sort((a, b) => b.rank - a.rank || a.at - b.at);
	return [...new Set(ranked.map(({ text }) => shortName(text, NAME_LENGTH)))].slice(0, NEAREST);
}

/* ---- words ---- */

const LONG_UNIT = 1000; /* of a unit that is shown whole where it matches */
const BEFORE_WORDS = 200, AFTER_WORDS = 400; /* of a longer one: what is shown around the words */

/* The part of a line around the words, from blank to blank. */
function lineAround(line, words) {
	if (line.length <= LONG_UNIT)
		return line;
	const place = Math.max(line.toLowerCase().indexOf(words.reduce((longest, word) => word.length > longest.length ? word : longest)), 0);
	const start = place > BEFORE_WORDS ? Math.max(line.lastIndexOf(' ', place - BEFORE_WORDS) + 1, place - 2 * BEFORE_WORDS) : 0;
	const end = place + AFTER_WORDS < line.length ? Math.min(line.indexOf(' ', place + AFTER_WORDS) + 1 || line.length, place + 2 * AFTER_WORDS) : line.length;
	return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed().trimEnd()}${end < line.length ? '…' : ''}`;
}

/* A long unit by the lines with any of the words, and by those that begin and end it where they are no text: the fences around code. */
function unitAround(unit, words) {
	const { kind, lines } = unit;
	if (lines.reduce((length, line) => length + line.length, 0) <= LONG_UNIT)
		return unit;
	const has = line => line !== undefined && words.some(word => line.toLowerCase().includes(word));
	const isKept = lines.map((line, i) => kind === 'code' && (i === 0 || i === lines.length - 1) || has(lines[i - 1]) || has(line) || has(lines[i + 1]));
	if (!lines.some(has)) /* the name of a control in it has them */
		return { ...unit, lines: lines.slice(0, 1).map(line => lineAround(line, words)) };
	const kept = [];
	lines.forEach((line, i) => {
		if (isKept[i])
			kept.push(lineAround(line, words));
		else if (kept.at(-1) !== '…')
			kept.push('…');
	});
	return { ...unit, lines: kept };
}

/* The units that have all the words, in their text or the names of their controls, and the frames. */
export function unitsWith(units, words) {
	const wanted = lower(words).split(' ');
	const hasAll = text => wanted.every(word => text.includes(word));
	return units.filter(({ kind, lines, names }) => kind === 'frame' || kind !== 'head' && hasAll(lower(`${lines.join(' ')} ${names}`)))
		.map(unit => unitAround(unit, wanted));
}

/* ---- the text ---- */

/* What is between two units: one line break within a list, a table or a definition, else a blank line. */
function between(before, unit) {
	const isNext = unit.kind === 'row' ? before.table === unit.table :
		unit.own === ': ' || unit.own !== '' && unit.list !== null && unit.list === before.list;
	return isNext ? '\n' : `\n${commonStart(before.rest, unit.rest)}\n`;
}

const linesOf = ({ lines, first, rest }) => lines.map((line, i) => ((i ? rest : first) + line).trimEnd()).join('\n');

const unfilteredText = (unit, before) => (before ? between(before, unit) : '') + linesOf(unit);

/* Of two that match: rows of one table, items, or what follows its heading. */
const isNextOf = (before, unit) => before?.kind === 'heading' || (unit.kind === 'row' ? before?.table === unit.table : unit.own !== '' && before?.own !== '');

/* A unit that matches by itself, rows below those of their columns. */
function matchOf(unit, before) {
	const lines = unit.kind === 'heading' ? [] : [unit.own + unit.lines[0], ...unit.lines.slice(1)];
	if (unit.head && before?.table !== unit.table)
		lines.unshift(...unit.head);
	return lines;
}

/* A unit that matches, below the headings that lead to it. */
function filteredText(unit, before, isBelowText) {
	const here = pathOf(unit), isNew = here !== (before ? pathOf(before) : '');
	const lines = matchOf(unit, isNew ? null : before);
	if (isNew)
		lines.unshift(`# ${here}`);
	const separator = !lines.length || !isBelowText ? '' : !isNew && isNextOf(before, unit) ? '\n' : '\n\n';
	return separator + lines.join('\n');
}

/*
 * {text, frames, isCut}: the text has at most `limit` units of UTF-16, and a FRAME_PLACE for each of `frames`. What is between and above
 * the units is counted here, as it may be much more than they have: a page can put each of its words below headings of its own.
 */
export function textOfUnits(units, isFiltered, limit) {
	const textOf = isFiltered ? filteredText : unfilteredText;
	const frames = [];
	let text = '', before = null, isBelowText = false;
	for (const unit of units) {
		const more = unit.frame ? FRAME_PLACE : textOf(unit, before, isBelowText);
		if (text.length + more.length > limit)
			return { text, frames, isCut: true };
		text += more;
		if (unit.frame)
			frames.push(unit.frame);
		else
			before = unit;
		isBelowText = unit.frame ? false : isBelowText || more !== '';
	}
	return { text, frames, isCut: false };
}
