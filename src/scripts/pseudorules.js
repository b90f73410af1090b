/*
 * Which elements may have ::before or ::after. To ask each for its computed style would be the dearest part of a
 * snapshot, so the rules of each root's style sheets that give a pseudo-element its content are sorted by what their
 * last compound selector names: an id, a class or a tag. An element that none of its own leads to such a rule has none.
 * What cannot be read or sorted counts as "may".
 */
import { onClearCaches } from './operation.js';
import { attributeOf, hasAttributes, shadowOf } from './raw.js';

const BEFORE = 1, AFTER = 2;
const PSEUDO = /::?(before|after)\b/;
const HAS_NO_CONTENT = /^(?:|none|normal)$/;
/* The last compound of a selector without brackets, quotes and escapes. */
const LAST_COMPOUND = /[^\s>+~]*$/;
const PLAIN_SELECTOR = /^[^()[\]"'\\]*$/;
const COMPOUND_KEY = /#((?:[\w-]|[^\x00-\x7f])+)|\.((?:[\w-]|[^\x00-\x7f])+)|^((?:[a-z]|[^\x00-\x7f])(?:[\w-]|[^\x00-\x7f])*)/i;

class PseudoRules {
	constructor() {
		this.any = 0; /* BEFORE and AFTER, for whatever element */
		this.byKey = new Map(); /* "#id", ".class" or "tag" -> BEFORE and AFTER */
	}

	get isEmpty() {
		return this.any === 0 && this.byKey.size === 0;
	}

	add(key, bits) {
		if (key === null)
			this.any |= bits;
		else
			this.byKey.set(key, this.byKey.get(key) | bits);
	}

	/* `holder`: a style sheet or a rule that groups others. */
	read(holder) {
		let rules;
		try {
			rules = holder.cssRules;
		} catch {
			this.any = BEFORE | AFTER; /* of another origin */
			return;
		}
		for (const rule of rules ?? []) {
			const selector = rule.selectorText;
			if (selector && PSEUDO.test(selector) && !HAS_NO_CONTENT.test(rule.style.content))
				this.addSelectors(selector, rule);
			if (rule.styleSheet)
				this.read(rule.styleSheet);
			else if (rule.cssRules?.length)
				this.read(rule);
		}
	}

	addSelectors(text, rule) {
		for (const { compound, bits } of pseudoCompounds(text)) {
			for (const key of compound.includes('&') ? keysAround(rule) : [keyOfCompound(compound)])
				this.add(key, bits);
		}
	}

	has(element, tag, bits) {
		if ((this.any | this.byKey.get(tag)) & bits)
			return true;
		if (!hasAttributes(element))
			return false;
		if (this.byKey.get('#' + attributeOf(element, 'id')) & bits)
			return true;
		const names = attributeOf(element, 'class');
		return names !== null && names.split(/\s+/).some(name => this.byKey.get('.' + name) & bits);
	}
}

/* {compound, bits} for each selector of a list that ends in a pseudo-element: what the pseudo-element is of. */
function* pseudoCompounds(text) {
	for (const selector of PLAIN_SELECTOR.test(text) ? text.split(',') : [text]) {
		const [, name] = PSEUDO.exec(selector) ?? [];
		if (name === undefined)
			continue;
		if (PLAIN_SELECTOR.test(selector))
			yield { compound: LAST_COMPOUND.exec(selector.slice(0, selector.search(PSEUDO)))[0], bits: name === 'before' ? BEFORE : AFTER };
		else
			yield* bracketedCompounds(selector);
	}
}

/* The same where commas, blanks and the like may stand in brackets or quotes. */
function* bracketedCompounds(list) {
	let depth = 0, quote = '', start = 0;
	for (let at = 0; at < list.length; at++) {
		const character = list[at];
		if (character === '\\')
			at++;
		else if (quote)
			quote = character === quote ? '' : quote;
		else if (character === '"' || character === "'")
			quote = character;
		else if (character === '(' || character === '[')
			depth++;
		else if (character === ')' || character === ']')
			depth--;
		else if (depth === 0 && /[\s>+~,]/.test(character))
			start = at + 1;
		else if (depth === 0 && character === ':') {
			const [pseudo, name] = PSEUDO.exec(list.slice(at, at + 9)) ?? [];
			if (pseudo !== undefined && list.startsWith(pseudo, at))
				yield { compound: list.slice(start, at), bits: name === 'before' ? BEFORE : AFTER };
		}
	}
}

/* Null: the rule may apply to any element. */
function keyOfCompound(compound) {
	const [, id, name, tag] = COMPOUND_KEY.exec(withoutBrackets(compound)) ?? [];
	if (compound.includes('\\'))
		return null;
	return id !== undefined ? '#' + id : name !== undefined ? '.' + name : tag !== undefined ? tag.toLowerCase() : null;
}

function withoutBrackets(compound) {
	for (let before = ''; before !== compound;) {
		before = compound;
		compound = compound.replace(/\((?:[^()"']|"[^"]*"|'[^']*')*\)|\[(?:[^\[\]"']|"[^"]*"|'[^']*')*\]/g, '');
	}
	return compound.replace(/::?[\w-]+/g, '');
}

/* Those that "&" stands for in `rule`. */
function keysAround(rule) {
	let around = rule.parentRule;
	while (around && !(around instanceof CSSStyleRule))
		around = around.parentRule;
	if (!around || !PLAIN_SELECTOR.test(around.selectorText))
		return [null];
	return around.selectorText.split(',').flatMap(selector => selector.includes('&') ? keysAround(around) :
		[keyOfCompound(LAST_COMPOUND.exec(selector.trim())[0])]);
}

/* For the length of one operation; a style sheet may be shared by many roots. */
let rulesOfRoot = new Map();
let rulesOfSheet = new Map();

onClearCaches(() => {
	rulesOfRoot = new Map();
	rulesOfSheet = new Map();
});

/* The PseudoRules of the tree of `root`. */
export function pseudoRulesOf(root) {
	let rules = rulesOfRoot.get(root);
	if (rules === undefined) {
		rules = [...root.styleSheets ?? [], ...root.adoptedStyleSheets ?? []].map(pseudoRulesOfSheet).filter(sheet => !sheet.isEmpty);
		rulesOfRoot.set(root, rules);
	}
	return rules;
}

function pseudoRulesOfSheet(sheet) {
	let rules = rulesOfSheet.get(sheet);
	if (rules === undefined) {
		rulesOfSheet.set(sheet, rules = new PseudoRules());
		if (!sheet.disabled)
			rules.read(sheet);
	}
	return rules;
}

/* A host may have them by rules inside of its shadow root as well. */
export function mayHavePseudo(element, tag, rules, which) {
	if (rules.length === 0 && tag !== 'q')
		return shadowOf(element) !== null;
	const bits = which === '::before' ? BEFORE : AFTER;
	return tag === 'q' || rules.some(sheet => sheet.has(element, tag, bits)) || shadowOf(element) !== null;
}
