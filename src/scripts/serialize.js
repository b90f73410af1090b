/*
 * The document in the form in which Playwright's trace viewer reads it: an element is ["NAME", {attributes}, ...children], a text
 * node its text. What markup cannot say (values, scroll positions, shadow roots, adopted style sheets) has attributes and templates
 * whose names the viewer knows. Nothing here changes the document, or gives an element a ref.
 */
import { exported } from './exported.js';
import { shownValue } from './privatefields.js';
import { ELEMENT, FRAGMENT, TEXT, attributeOf, attributesOf, dataOf, firstOf, isFrameTag, matches, nextOf, rectOf, scrollLeftOf, scrollTopOf,
	shadowOf, spaceOf, tagOf, textOf, typeOfNode } from './raw.js';
import { closedRoots } from './roots.js';
import { findTarget } from './target.js';

const DEPTH_MAX = 1000; /* nesting of elements */
const HTML_SPACE = 'http://www.w3.org/1999/xhtml';
const LEFT_OUT = new Set(['base', 'script']); /* elements that the viewer replaces or must not run */
const UNUSED_LINKS = /(?:^|\s)(?:dns-prefetch|manifest|modulepreload|preconnect|prefetch|preload)(?:\s|$)/i;
const UNUSED_ATTRIBUTES = /^(?:integrity|nonce|on.*)$/i;
const FRAME_ATTRIBUTES = /^(?:sandbox|src|srcdoc)$/i;
const frameNames = new WeakMap(); /* by frame element */

const quoted = JSON.stringify;
const isHTML = element => spaceOf(element) === HTML_SPACE;

/* The rules of a style sheet as text; null where they cannot be read. */
function rulesOf(sheet) {
	try {
		return [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
	} catch {
		return null;
	}
}

/* The rules of a style element: its text, unless scripts have filled it. */
function styleText(element) {
	const text = textOf(element);
	return text.trim() || !element.sheet ? text : rulesOf(element.sheet) ?? text;
}

function isLeftOut(element, name) {
	if (LEFT_OUT.has(name))
		return true;
	return name === 'link' && UNUSED_LINKS.test(attributeOf(element, 'rel') ?? '');
}

function fieldState(element, add) {
	if (element instanceof HTMLInputElement) {
		if (element.type !== 'file')
			add('__playwright_value_', shownValue(element));
		if (element.type === 'checkbox' || element.type === 'radio')
			add('__playwright_checked_', String(element.checked));
	} else if (element instanceof HTMLTextAreaElement) {
		add('__playwright_value_', element.value);
	} else if (element instanceof HTMLOptionElement) {
		add('__playwright_selected_', String(element.selected));
	}
}

function openState(element, add) {
	if (matches(element, ':popover-open'))
		add('__playwright_popover_open_', 'true');
	if (element instanceof HTMLDialogElement && element.open)
		add('__playwright_dialog_open_', matches(element, ':modal') ? 'modal' : 'true');
}

function rectText(element) {
	const { left, top, right, bottom } = rectOf(element);
	return quoted({ left, top, right, bottom });
}

/* What the element shows and its attributes do not say. */
function addState(element, name, add) {
	if (scrollTopOf(element))
		add('__playwright_scroll_top_', String(scrollTopOf(element)));
	if (scrollLeftOf(element))
		add('__playwright_scroll_left_', String(scrollLeftOf(element)));
	if (!isHTML(element))
		return;
	fieldState(element, add);
	openState(element, add);
	if (isFrameTag(name)) {
		add('__playwright_bounding_rect__', rectText(element));
		add('src', frameNames.has(element) ? `/snapshot/${frameNames.get(element)}` : '');
	} else if (name === 'canvas') {
		add('__playwright_bounding_rect__', rectText(element));
	} else if (element instanceof HTMLImageElement && element.currentSrc) {
		add('__playwright_current_src__', element.currentSrc);
	}
}

/* Writes one document, which ends early when it has more than `limit` UTF-16 units. */
class Serializer {
	constructor(target, limit) {
		this.target = target;
		this.limit = limit;
		this.parts = [];
		this.size = 0;
		this.nodes = 0; /* elements and texts so far: a later snapshot refers to them by their number, in post-order */
		this.isCut = false;
	}

	write(part) {
		this.parts.push(part);
		this.size += part.length;
	}

	writeAttributes(element, name) {
		const seen = new Set();
		let gap = '';
		const add = (key, value) => {
			if (seen.has(key))
				return;
			seen.add(key);
			this.write(`${gap}${quoted(key)}:${quoted(value)}`);
			gap = ',';
		};
		this.write('{');
		if (element === this.target)
			add('__playwright_target__', '');
		addState(element, name, add);
		for (const { name: key, value } of attributesOf(element)) {
			if (!UNUSED_ATTRIBUTES.test(key) && !(isFrameTag(name) && FRAME_ATTRIBUTES.test(key)))
				add(key, value);
		}
		this.write('}');
	}

	writeText(text) {
		this.write(`,${quoted(text)}`);
		this.nodes++;
	}

	/* A template that the viewer turns into something else. */
	writeTemplate(attribute, value, writeContent) {
		this.write(`,["template",{${quoted(attribute)}:${quoted(value)}}`);
		writeContent?.();
		this.write(']');
		this.nodes++;
	}

	writeSheets(root) {
		for (const sheet of root.adoptedStyleSheets ?? []) {
			const rules = rulesOf(sheet);
			if (rules)
				this.writeTemplate('__playwright_style_sheet_', rules);
		}
	}

	writeChildren(parent, depth) {
		for (let node = firstOf(parent); node; node = nextOf(node)) {
			if (this.size > this.limit || depth > DEPTH_MAX) {
				this.isCut = true;
				return;
			}
			const type = typeOfNode(node);
			if (type === TEXT)
				this.writeText(dataOf(node));
			else if (type === ELEMENT && !isLeftOut(node, tagOf(node)))
				this.writeElement(node, depth, ',');
		}
	}

	writeShadow(element, depth) {
		const root = shadowOf(element) ?? closedRoots.get(element);
		if (!root || typeOfNode(root) !== FRAGMENT)
			return;
		this.writeTemplate('__playwright_shadow_root_', 'open', () => {
			this.writeChildren(root, depth + 1);
			this.writeSheets(root);
		});
	}

	writeElement(element, depth, gap) {
		const name = tagOf(element);
		this.write(`${gap}[${quoted(isHTML(element) ? name.toUpperCase() : name)},`);
		this.writeAttributes(element, name);
		if (name === 'head' && isHTML(element)) { /* relative addresses are those of the document, not of the viewer */
			this.write(`,["BASE",{"href":${quoted(document.baseURI)}}]`);
			this.nodes++;
		}
		this.writeShadow(element, depth);
		if (name === 'style' && isHTML(element))
			this.writeText(styleText(element));
		else
			this.writeChildren(element, depth + 1);
		if (element === document.documentElement)
			this.writeSheets(document);
		this.write(']');
		this.nodes++;
	}
}

/* The element that the argument of findTarget() names; null if no element or more than one matches. */
function elementOf(target) {
	if (!target)
		return null;
	try {
		return findTarget(target);
	} catch {
		return null;
	}
}

/* {target, limit}: the document as JSON text. `target` (may be null) names the element that the viewer marks. */
exported.serialize = ({ target, limit }) => {
	const writer = new Serializer(elementOf(target), limit);
	const root = document.documentElement;
	if (root)
		writer.writeElement(root, 0, '');
	return {
		html: writer.parts.join('') || '["HTML",{}]', nodes: writer.nodes, isCut: writer.isCut, doctype: document.doctype?.name ?? null,
		width: innerWidth, height: innerHeight,
	};
};

/* Gives a frame's element the name by which the viewer finds the frame's own snapshots. */
exported.nameFrame = ({ element, name }) => {
	frameNames.set(element, name);
};
