/* Finds the elements of CSS selectors with their extensions, as css.js has parsed them. */
import { isVisible } from './area.js';
import { parseCSS } from './css.js';
import { createWalker } from './dom.js';
import { inLayout, layout } from './layout.js';
import { hostOrParent, isElement, matches, orderOf, previousOf, shadowOf, visitIn } from './raw.js';
import { isSmallest, isTextless, laxText, regexMatcher, strictText } from './text.js';

/* All matches inside `scope`, in document order. */
export function queryCSS(css, scope) {
	return inLayout(() => queryParsed(parseCSS(css), scope), queryParsed);
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
		visitIn(root, compound.css || '*', element => elements.push(element));
	return elements;
}

/* `scope` and the open shadow roots inside it. */
export function rootsIn(scope) {
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

export function inDocumentOrder(elements) {
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
