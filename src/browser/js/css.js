/*
 * CSS with the usual extensions (:has-text(), :text(), :text-is(), :text-matches(), :visible, :nth-match(), those of
 * layout.js, and what :is(), :not() and :has() hold of them), matched through open shadow roots. What the browser itself understands is
 * left to it.
 *
 * A parsed selector is a list of complex selectors, each a list of { combinator, css, extensions }: `combinator` joins
 * a compound to the one before it.
 */
const CSS_EXTENSIONS = new Set(['has-text', 'text', 'text-is', 'text-matches', 'visible', 'nth-match', 'light',
	'right-of', 'left-of', 'above', 'below', 'near']);
const CSS_NESTING = new Set(['is', 'not', 'has', 'where']);
/* Extensions; and relations, :has() among them, which end at a shadow boundary for the browser. */
const BEYOND_BROWSER = /:(?:has-text|text|text-is|text-matches|visible|nth-match|right-of|left-of|above|below|near|has)\b(?!-)|[\s>+~]/;
const CSS_NAME = /-?(?:[A-Za-z_\u0080-\uffff]|\\.)(?:[\w\-\u0080-\uffff]|\\.)*/y;

const cssParses = new Map();

function parseCSS(text) {
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
		const own = CSS_EXTENSIONS.has(name) || name === 'has' || CSS_NESTING.has(name) && BEYOND_BROWSER.test(body);
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

/* All matches inside `scope`, in document order. */
function queryCSS(css, scope) {
	return inLayout(() => queryParsed(parseCSS(css), scope));
}

function queryParsed(selectors, scope) {
	const found = new Set();
	for (const complex of selectors) {
		for (const element of queryCompound(complex.at(-1), scope)) {
			if (matchesComplex(element, complex, complex.length - 1, scope))
				found.add(element);
		}
	}
	return selectors.length > 1 ? inDocumentOrder(found) : [...found];
}

function queryCompound(compound, scope) {
	const elements = [];
	for (const root of rootsIn(scope))
		elements.push(...queryIn(root, compound.css || '*'));
	return elements;
}

/* `scope` and the open shadow roots inside it. */
function rootsIn(scope) {
	const roots = [scope];
	const own = isElement(scope) ? shadowOf(scope) : null;
	if (own)
		roots.push(...rootsIn(own));
	const walker = createWalker(scope, NodeFilter.SHOW_ELEMENT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const shadow = shadowOf(node);
		if (shadow)
			roots.push(...rootsIn(shadow));
	}
	return roots;
}

function inDocumentOrder(elements) {
	return [...elements].sort((a, b) => {
		const order = orderOf(a, b);
		return order & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : order & Node.DOCUMENT_POSITION_PRECEDING ? 1 : 0;
	});
}

const matchesCompound = (element, compound, scope) => (!compound.css || matches(element, compound.css)) &&
	compound.extensions.every(extension => CSS_MATCHERS[extension.name](element, extension, scope));

/* Is `element` compound `index` of `complex`, with those before it where their combinators want them? */
function matchesComplex(element, complex, index, scope) {
	const compound = complex[index];
	if (!matchesCompound(element, compound, scope))
		return false;
	if (index === 0)
		return !compound.combinator || isRelatedToScope(element, compound.combinator, scope);
	for (let other = relative(element, compound.combinator, scope); other; other = repeats(compound.combinator) ?
		relative(other, compound.combinator, scope) : null) {
		if (matchesComplex(other, complex, index - 1, scope))
			return true;
	}
	return false;
}

const repeats = combinator => combinator === ' ' || combinator === '~';

function relative(element, combinator, scope) {
	if (combinator === '+' || combinator === '~') {
		let sibling = previousOf(element);
		while (sibling && !isElement(sibling))
			sibling = previousOf(sibling);
		return sibling;
	}
	return element === scope ? null : hostOrParent(element);
}

function isRelatedToScope(element, combinator, scope) {
	for (let other = relative(element, combinator, null); other; other = repeats(combinator) ? relative(other, combinator, null) : null) {
		if (other === scope)
			return true;
	}
	return false;
}

const matchesAny = (element, selectors, scope) =>
	selectors.some(complex => matchesComplex(element, complex, complex.length - 1, scope));

const byLayout = (element, extension, scope) => layout.matches(element, extension, scope);

const CSS_MATCHERS = {
	__proto__: null,
	above: byLayout,
	below: byLayout,
	has: (element, { selectors }) => queryParsed(selectors, element).length > 0,
	'has-text': (element, { texts }) => !isTextless(element) && laxText(texts[0])(element),
	is: (element, { selectors }, scope) => matchesAny(element, selectors, scope),
	'left-of': byLayout,
	light: (element, { selectors }, scope) => matchesAny(element, selectors, scope),
	near: byLayout,
	not: (element, { selectors }, scope) => !matchesAny(element, selectors, scope),
	'nth-match': (element, { selectors, index }, scope) => queryParsed(selectors, scope)[index - 1] === element,
	'right-of': byLayout,
	text: (element, { texts }) => isSmallest(element, laxText(texts[0])),
	'text-is': (element, { texts }) => isSmallest(element, strictText(texts[0])),
	'text-matches': (element, { texts }) => isSmallest(element, regexMatcher({ regex: texts[0], flags: texts[1] ?? '' })),
	visible: element => isVisible(element),
	where: (element, { selectors }, scope) => matchesAny(element, selectors, scope),
};
