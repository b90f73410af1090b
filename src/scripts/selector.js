/*
 * Selectors: parts joined by `>>`, each `engine=body`, a quoted text, an XPath expression, or CSS. They become the
 * steps that locator.js describes. `*` before a part chooses its element instead of the last part's.
 */
import { parseCSS } from './css.js';
import { Failure } from './failure.js';
import { badSelector, regexText, ROLE_STATES, ROLE_TEXTS, unescapeString, withoutUndefined } from './literals.js';

const ENGINE_NAME = /^\*?[a-zA-Z_0-9\-+:]+$/;
const ATTRIBUTE_ENGINES = new Set(['id', 'data-testid', 'data-test-id', 'data-test']);
const TEXT_ENGINES = { __proto__: null, 'internal:label': 'label', 'internal:text': 'text' };
const ATTRIBUTE_TEXTS = { __proto__: null, alt: 'alt', placeholder: 'placeholder', title: 'title' };

/* The parts between `>>` outside quotes. */
function splitSelector(selector) {
	const parts = [];
	let start = 0;
	let quote = '';
	for (let i = 0; i < selector.length; i++) {
		const character = selector[i];
		if (character === '\\')
			i++;
		else if (quote)
			quote = character === quote ? '' : quote;
		else if (startsQuote(selector, i, start))
			quote = character;
		else if (character === '>' && selector[i + 1] === '>') {
			parts.push(selector.slice(start, i).trim());
			start = i + 2;
			i++;
		}
	}
	return [...parts, selector.slice(start).trim()];
}

/* An apostrophe inside text=it's fine opens nothing. */
function startsQuote(selector, at, start) {
	if (!/["'`]/.test(selector[at]))
		return false;
	return !/^\s*text\s*=\s*[^"'`]/.test(selector.slice(start, at));
}

export function parseSelector(selector) {
	const parts = splitSelector(selector).map(parsePart);
	const chosen = parts.findIndex(part => part.chosen);
	const steps = parts.map(part => part.step);
	if (chosen < 0 || chosen === steps.length - 1)
		return steps;
	return [...steps.slice(0, chosen + 1), { type: 'filter', has: steps.slice(chosen + 1) }];
}

function parsePart(part) {
	const equals = part.indexOf('=');
	const name = part.slice(0, Math.max(0, equals)).trim();
	if (equals > 0 && ENGINE_NAME.test(name)) {
		const body = part.slice(equals + 1);
		return name[0] === '*' ? { chosen: true, step: engineStep(name.slice(1), body) } : { step: engineStep(name, body) };
	}
	if (/^(["']).*\1$/s.test(part) && part.length > 1)
		return { step: { type: 'text', body: part, bare: true } };
	if (/^\(*\/\//.test(part) || part.startsWith('..'))
		return { step: { type: 'xpath', value: part } };
	return { step: cssStep(part) };
}

function cssStep(css) {
	parseCSS(css); /* complains */
	return { type: 'css', value: css };
}

function engineStep(engine, body) {
	if (ATTRIBUTE_ENGINES.has(engine))
		return { type: 'attribute', name: engine, value: body };
	const known = SELECTOR_ENGINES[engine];
	if (!known)
		throw new Failure('INVALID_SELECTOR', 'unknownEngine', { engine, body });
	return known(body, engine);
}

const SELECTOR_ENGINES = {
	__proto__: null,
	css: body => cssStep(body.trim()),
	'css:light': body => cssStep(body.trim()),
	nth: body => ({ type: 'nth', index: Number(body) }),
	role: body => ({ ...parseRole(body), body }),
	text: body => ({ type: 'text', body }),
	visible: body => ({ type: 'filter', visible: body.trim() !== 'false' }),
	xpath: body => ({ type: 'xpath', value: body.trim() }),
	'internal:and': body => ({ type: 'and', steps: parseSelector(JSON.parse(body)) }),
	'internal:attr': attributeTextStep,
	'internal:chain': body => ({ type: 'chain', steps: parseSelector(JSON.parse(body)) }),
	'internal:control': () => ({ type: 'frame' }),
	'internal:has': body => ({ type: 'filter', has: parseSelector(JSON.parse(body)) }),
	'internal:has-not': body => ({ type: 'filter', hasNot: parseSelector(JSON.parse(body)) }),
	'internal:has-not-text': body => ({ type: 'filter', hasNotText: escapedText(body).value }),
	'internal:has-text': body => ({ type: 'filter', hasText: escapedText(body).value }),
	'internal:label': textStep,
	'internal:or': body => ({ type: 'or', steps: parseSelector(JSON.parse(body)) }),
	'internal:role': body => parseRole(body),
	'internal:testid': body => ({ ...attributeTextStep(body), by: 'testid', exact: undefined }),
	'internal:text': textStep,
};

/* "text"i, "text"s or /regex/flags */
function escapedText(body) {
	const text = body.trim();
	if (text[0] === '/')
		return { value: regexText(text) };
	const suffix = /[is]$/.exec(text)?.[0];
	return { value: JSON.parse(suffix ? text.slice(0, -1) : text), exact: suffix === 's' || undefined };
}

function textStep(body, engine) {
	return withoutUndefined({ type: 'getBy', by: TEXT_ENGINES[engine], ...escapedText(body) });
}

function attributeTextStep(body) {
	const match = /^\[\s*([\w-]+)\s*=\s*([\s\S]+)\]$/.exec(body.trim());
	if (!match)
		throw badSelector();
	return withoutUndefined({ type: 'getBy', by: ATTRIBUTE_TEXTS[match[1]] ?? match[1], ...escapedText(match[2]) });
}

const ROLE_ATTRIBUTE = /\s*\[\s*([\w-]+)\s*(?:(=|~=|\^=|\$=|\*=)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/(?:[^\/\\]|\\.)+\/[a-z]*|[^\]\s]+)\s*([is])?\s*)?\]/y;
const ROLE_FILTERS = { __proto__: null, 'include-hidden': 'includeHidden' };

/* button[name="Save"i][level=2][checked] */
function parseRole(body) {
	const role = /^\s*[\w-]+/.exec(body)?.[0];
	if (!role)
		throw badSelector();
	const step = { type: 'role', role: role.trim() };
	ROLE_ATTRIBUTE.lastIndex = role.length;
	while (ROLE_ATTRIBUTE.lastIndex < body.trimEnd().length) {
		const match = ROLE_ATTRIBUTE.exec(body);
		if (!match)
			throw badSelector();
		addRoleFilter(step, match);
	}
	return step;
}

function addRoleFilter(step, [, attribute, operator, value, suffix]) {
	const name = ROLE_FILTERS[attribute] ?? attribute;
	const isText = ROLE_TEXTS.has(name);
	if (!isText && !ROLE_STATES.has(name))
		throw new Failure('INVALID_SELECTOR', 'roleAttributeUnknown', { attribute });
	if (isText && value === undefined)
		throw new Failure('INVALID_SELECTOR', 'roleAttributeEmpty', { attribute });
	if (operator && operator !== '=' && !isText)
		throw badSelector();
	if (value === undefined)
		step[name] = true;
	else if (value[0] === '/')
		step[name] = regexText(value);
	else if (/^["']/.test(value))
		step[name] = unescapeString(value);
	else
		step[name] = value === 'true' ? true : value === 'false' ? false : name === 'level' ? Number(value) : value;
	if (isText && typeof step[name] === 'string' && suffix !== 'i')
		step.exact = true;
}
