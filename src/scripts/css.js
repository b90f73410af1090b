/*
 * CSS with the usual extensions (:has-text(), :text(), :text-is(), :text-matches(), :visible, :nth-match(), those of
 * layout.js, and what :is(), :not() and :has() hold of them), matched through open shadow roots. What the browser itself understands is
 * left to it.
 *
 * A parsed selector is a list of complex selectors, each a list of { combinator, css, extensions }: `combinator` joins
 * a compound to the one before it.
 */
import { Failure } from './failure.js';
import { LAYOUT } from './layout.js';
import { badSelector, unescapeString } from './literals.js';

const CSS_EXTENSIONS = new Set(['has-text', 'text', 'text-is', 'text-matches', 'visible', 'nth-match', 'light',
	'right-of', 'left-of', 'above', 'below', 'near']);
const CSS_NESTING = new Set(['is', 'not', 'has', 'where']);
/* Extensions; and relations, :has() among them, which end at a shadow boundary for the browser. */
const EXTENDED_SELECTOR = /:(?:has-text|text|text-is|text-matches|visible|nth-match|right-of|left-of|above|below|near|has)\b(?!-)|[\s>+~]/;
const CSS_NAME = /-?(?:[A-Za-z_\u0080-\uffff]|\\.)(?:[\w\-\u0080-\uffff]|\\.)*/y;

const cssParses = new Map();

export function parseCSS(text) {
	let parsed = cssParses.get(text);
	if (!parsed) {
		parsed = new CSSParser(text).list();
		cssParses.set(text, parsed);
	}
	return parsed;
}

class CSSParser {
	constructor(text) {
		this.text = text;
		this.at = 0;
	}

	list() {
		const list = [];
		do {
			list.push(this.complex());
		} while (this.skip(','));
		if (this.at < this.text.length)
			throw badSelector();
		return list;
	}

	blanks() {
		const start = this.at;
		while (/\s/.test(this.text[this.at] ?? ''))
			this.at++;
		return this.at > start;
	}

	skip(character) {
		if (this.text[this.at] !== character)
			return false;
		this.at++;
		return true;
	}

	complex() {
		const compounds = [];
		this.blanks();
		let combinator = this.combinator();
		for (;;) {
			const compound = this.compound();
			if (!compound)
				throw badSelector();
			compounds.push({ combinator, ...compound });
			const blank = this.blanks();
			combinator = this.combinator() || (blank ? ' ' : '');
			if (this.at >= this.text.length || this.text[this.at] === ',')
				break;
			if (!combinator)
				throw badSelector();
		}
		if (combinator.trim())
			throw badSelector();
		return compounds;
	}

	combinator() {
		const character = this.text[this.at];
		if (character !== '>' && character !== '+' && character !== '~')
			return '';
		this.at++;
		this.blanks();
		return character;
	}

	compound() {
		const start = this.at;
		let css = '';
		const extensions = [];
		for (;;) {
			const from = this.at;
			const pseudo = this.pseudo();
			if (pseudo) {
				if (pseudo.extension)
					extensions.push(pseudo.extension);
				else
					css += this.text.slice(from, this.at);
			} else if (this.simple())
				css += this.text.slice(from, this.at);
			else
				break;
		}
		return this.at > start ? { css, extensions } : null;
	}

	simple() {
		const character = this.text[this.at];
		if (character === '*' || character === '&') {
			this.at++;
			return true;
		}
		if (character === '[')
			return this.bracketed('[', ']');
		if (character === '#' || character === '.') {
			this.at++;
			if (!this.name())
				throw badSelector();
			return true;
		}
		return this.name() !== '' || this.skip('|');
	}

	name() {
		CSS_NAME.lastIndex = this.at;
		const match = CSS_NAME.exec(this.text);
		this.at += match ? match[0].length : 0;
		return match ? match[0] : '';
	}

	/* Past the matching bracket, quotes respected. */
	bracketed(open, close) {
		let depth = 0;
		for (; this.at < this.text.length; this.at++) {
			const character = this.text[this.at];
			if (character === '\\')
				this.at++;
			else if (character === '"' || character === "'")
				this.quoted(character);
			else if (character === open)
				depth++;
			else if (character === close && --depth === 0) {
				this.at++;
				return true;
			}
		}
		throw badSelector();
	}

	quoted(quote) {
		for (this.at++; this.text[this.at] !== quote; this.at++) {
			if (this.at >= this.text.length)
				throw badSelector();
			if (this.text[this.at] === '\\')
				this.at++;
		}
	}

	pseudo() {
		if (this.text[this.at] !== ':')
			return null;
		this.at++;
		const name = this.name().toLowerCase();
		if (!name)
			throw badSelector();
		const start = this.at;
		if (this.text[this.at] === '(')
			this.bracketed('(', ')');
		const body = this.text.slice(start + 1, this.at - 1);
		const own = CSS_EXTENSIONS.has(name) || name === 'has' || CSS_NESTING.has(name) && EXTENDED_SELECTOR.test(body);
		return own ? { extension: { name, ...pseudoArguments(name, body) } } : {};
	}
}

function pseudoArguments(name, body) {
	if (CSS_NESTING.has(name) || name === 'light')
		return { selectors: parseCSS(body.trim()) };
	if (name === 'visible')
		return {};
	if (name in LAYOUT)
		return layoutArguments(name, body);
	if (name === 'nth-match') {
		const comma = body.lastIndexOf(',');
		return { selectors: parseCSS(body.slice(0, comma).trim()), index: Number.parseInt(body.slice(comma + 1), 10) };
	}
	const texts = body.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g)?.map(unescapeString);
	if (!texts)
		throw badSelector();
	return { texts };
}

/* A list of selectors and, behind it, the largest distance in px. */
function layoutArguments(name, body) {
	const [, list, limit] = /^(.*?)(?:,\s*(\d+(?:\.\d+)?)\s*)?$/s.exec(body);
	if (!list.trim())
		throw new Failure('INVALID_SELECTOR', 'layoutArguments', { name });
	return { selectors: parseCSS(list.trim()), limit: limit === undefined ? LAYOUT[name].limit ?? Infinity : Number(limit) };
}
