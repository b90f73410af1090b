/*
 * Searching a snapshot's text: each match with the lines around it, under the lines that lead to it.
 */
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { argumentRegex } from './regex.js';
import { takeSnapshot } from './snapshot.js';

const LINES_AROUND = 3;

function findMatcher({ text, regex }) {
	if (text !== undefined) {
		const wanted = text.toLowerCase();
		return { shown: `"${text}"`, matches: line => line.toLowerCase().includes(wanted) };
	}
	try {
		const expression = argumentRegex(regex);
		return { shown: String(expression), matches: line => expression.test(line) };
	} catch {
		throw new Failure('INVALID_REGEX', 'badExpression');
	}
}

const levelOfLine = line => line.search(/\S/);

/* For each line the number of the line it is under; -1 at the top. */
function linesAbove(lines) {
	const above = [];
	const open = [];
	lines.forEach((line, at) => {
		const level = levelOfLine(line);
		while (open.length && levelOfLine(lines[open.at(-1)]) >= level)
			open.pop();
		above.push(open.at(-1) ?? -1);
		open.push(at);
	});
	return above;
}

/* Matches whose surroundings touch make one excerpt. */
function excerptsAround(matches, count) {
	const excerpts = [];
	for (const match of matches) {
		const from = Math.max(0, match - LINES_AROUND);
		const to = Math.min(count - 1, match + LINES_AROUND);
		const last = excerpts.at(-1);
		if (last && from <= last.to + 1) {
			last.to = to;
			last.matches.push(match);
		} else
			excerpts.push({ from, to, matches: [match] });
	}
	return excerpts;
}

function addPath(paths, above, at) {
	for (let line = above[at]; line >= 0 && !paths.has(line); line = above[line])
		paths.add(line);
}

/* What is left out below a line that leads to no match is marked. `toMatches` are the lines that lead to one. */
function printExcerpt({ from, to, matches: found }, lines, above, toMatches) {
	const shown = new Set();
	for (const match of found)
		addPath(shown, above, match);
	for (let line = from; line <= to; line++) {
		addPath(shown, above, line);
		shown.add(line);
	}
	const printed = [...shown].sort((a, b) => a - b);
	return printed.flatMap((line, i) => {
		const next = printed[i + 1];
		const isCut = next > line + 1 && !toMatches.has(line);
		return isCut ? [lines[line], ' '.repeat(levelOfLine(lines[next])) + '...'] : [lines[line]];
	}).join('\n');
}

function findInSnapshot(snapshot, query) {
	const { shown, matches: isMatch } = findMatcher(query);
	const lines = snapshot.split('\n');
	const found = lines.flatMap((line, at) => isMatch(line) ? [at] : []);
	if (!found.length)
		return `No matches found for ${shown}.`;
	const above = linesAbove(lines);
	const toMatches = new Set();
	const first = found.slice(0, query.maxResults);
	for (const match of first)
		addPath(toMatches, above, match);
	const excerpts = excerptsAround(first, lines.length).map(excerpt => printExcerpt(excerpt, lines, above, toMatches));
	const count = `${found.length} ${found.length === 1 ? 'match' : 'matches'} for ${shown}`;
	const limited = first.length < found.length ? ` (showing first ${first.length})` : '';
	return `Found ${count}${limited}:\n\n${excerpts.join('\n\n----\n\n')}`;
}

/*
 * {text | regex, maxResults?, snapshot} -> {text}: the answer for the text of a whole snapshot, frames included. Without one, but with
 * `refPrefix`, it is taken here and never travels; {} when the page has frames, whose text is needed.
 */
exported.find = query => {
	if (query.snapshot !== undefined)
		return { text: findInSnapshot(query.snapshot, query) };
	return window.length > 0 ? {} : { text: findInSnapshot(takeSnapshot({ refPrefix: query.refPrefix }).text, query) };
};
