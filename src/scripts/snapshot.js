/*
 * The accessibility snapshot: the tree as YAML-like text, with a ref for every element that an action can target.
 */
import { markOf } from './clickable.js';
import { condense, joinTexts } from './condense.js';
import { isAriaHidden } from './contents.js';
import { bodyOf, rootElement } from './dom.js';
import { exported } from './exported.js';
import { isExtended } from './extended.js';
import { hintOf } from './hints.js';
import { FRAME_MARK, OutlineWriter } from './outline.js';
import { ACTABLE } from './outlineroles.js';
import { childrenOf } from './names.js';
import { clearCaches } from './operation.js';
import { PART_LENGTH, sendPart, TOO_LARGE } from './parts.js';
import { attributeOf, hasAttribute, isElement, rectOf, tagOf } from './raw.js';
import { abandonTaking, beginTaking, endTaking, TAKEN_WRONGLY } from './pieces.js';
import { observeRedraws, recogniseRedraws } from './redraws.js';
import { elementByRef, handleOf, refsAreRenewed, startSnapshot } from './refs.js';
import { askAbout, hostsOnTop } from './roots.js';
import { shownPage } from './shown.js';
import { checkedOf, expandedOf, invalidOf, levelOf, pressedOf, selectedOf } from './states.js';
import { TreeBuilder } from './tree.js';
import { isText } from './treenode.js';
import { yamlKey, yamlValue } from './yaml.js';

const NAME_LIMIT = 900;

class SnapshotWriter {
	constructor({ depth = 0, boxes = false, refPrefix = '', indent = 0, number = 0, room = Infinity }) {
		this.depth = depth > 0 ? depth : Infinity;
		this.boxes = boxes;
		this.prefix = refPrefix;
		this.indent = indent;
		this.number = number;
		this.room = room;
		this.starts = []; /* the line breaks and indents that lines begin with, by level */
		this.text = '';
		this.isFirst = true;
		this.frames = [];
	}

	line(level, text) {
		const start = this.starts[level] ??= '\n' + ' '.repeat(this.indent + 2 * level) + '- ';
		this.text += start + text;
		if (this.text.length > PART_LENGTH && this.number > 0)
			sendPart(this, this.take());
	}

	/* Returns the text that was written since the last call. Each line begins with a line break, except for the first. */
	take() {
		const text = this.isFirst ? this.text.slice(1) : this.text;
		this.isFirst = false;
		this.text = '';
		return text;
	}

	/* Writes a placeholder, which the caller replaces by the frame's own snapshot. */
	frame(node, level) {
		this.text += FRAME_MARK;
		const left = this.depth === Infinity ? 0 : this.depth - level - 1;
		this.frames.push({ ref: handleOf(node.element, this.prefix), indent: this.indent + 2 * (level + 1), depth: Math.max(0, left) });
	}

	children(node, level, inPointer) {
		for (const child of node.children) {
			if (isText(child))
				this.line(level, 'text: ' + yamlValue(child));
			else
				this.node(child, level, inPointer);
		}
	}

	node(node, level, inPointer) {
		const ref = this.refOf(node);
		const pointer = ref !== '' && !inPointer && node.hasPointer;
		const { name } = node;
		const marks = statesText(node) + this.marks(node, ref, pointer);
		const key = name && name.length <= NAME_LIMIT ? yamlKey(`${node.role} ${JSON.stringify(name)}${marks}`) : yamlKey(node.role + marks);
		if (node.isFrame) {
			this.line(level, key);
			if (ref)
				this.frame(node, level);
			return;
		}
		this.body(node, key, level, inPointer || pointer);
	}

	/* '' for what cannot be a target. */
	refOf({ identity }) {
		if (identity === null)
			return '';
		identity.isShown = true;
		return identity.ref;
	}

	marks(node, ref, pointer) {
		let marks = '';
		if (ref)
			marks += ` [ref=${ref}]`;
		if (pointer)
			marks += ' [cursor=pointer]';
		if (ref && (node.isKept || node.abilities))
			marks += markOf(node);
		if (ref && isExtended && !node.name && !node.children.length && (ACTABLE.has(node.role) || node.isKept || pointer))
			marks += hintMark(node, marks);
		return this.boxes ? marks + boxText(rectOf(node.element)) : marks;
	}

	body(node, key, level, inPointer) {
		const properties = propertiesOf(node);
		const plain = node.children.length === 1 && isText(node.children[0]);
		const open = node.children.length > 0 && (plain || level < this.depth);
		if (plain && !properties.length) {
			this.line(level, `${key}: ${yamlValue(node.children[0])}`);
			return;
		}
		this.line(level, properties.length || open ? key + ':' : key);
		for (const [property, value] of properties)
			this.line(level + 1, `/${property}: ${yamlValue(value)}`);
		if (open)
			this.children(node, level + 1, inPointer);
	}

	end(listenersUnanswered) {
		return { text: this.take(), frames: this.frames, listenersUnanswered };
	}
}

function hintMark({ element, isFrame }, marks) {
	const hint = isFrame || hasAttribute(element, 'placeholder') ? '' : hintOf(element, /\[(?:color|fill)=/.test(marks));
	return hint && ` [hint=${JSON.stringify(hint)}]`;
}

/* Roles whose states do not need an attribute. */
const STATES_OF_BARE = new Set(['heading', 'option']);
const stateText = (name, value) => value === true ? ` [${name}]` : value ? ` [${name}=${value}]` : '';

function statesText({ element, role, disabled, bare, isActive }) {
	if (bare && !disabled && !isActive && !STATES_OF_BARE.has(role))
		return '';
	return stateText('checked', checkedOf(element, role)) + stateText('disabled', disabled) +
		stateText('expanded', expandedOf(element, role)) + stateText('active', isActive) +
		stateText('invalid', invalidOf(element, role)) + stateText('level', levelOf(element, role)) +
		stateText('pressed', pressedOf(element, role)) + stateText('selected', selectedOf(element, role)) +
		stateText('aria-hidden', isAriaHidden(element));
}

function boxText({ x, y, width, height }) {
	return ` [box=${[x, y, width, height].map(Math.round).join(',')}]`;
}

/* The URL of a link, or the placeholder of a text field if it differs from the name. */
function propertiesOf(node) {
	const { element, role } = node;
	if (role === 'link' && hasAttribute(element, 'href'))
		return [['url', shortUrl(attributeOf(element, 'href'))]];
	const placeholder = role === 'textbox' ? attributeOf(element, 'placeholder') : null;
	return placeholder !== null && placeholder !== node.name ? [['placeholder', placeholder]] : [];
}

const shortUrl = url => url.replace(/^(data:[^,]*,).*$/s, '$1…');

/*
 * {ref?, depth?, boxes?, plain?, conceals?, outline?, urls?, query?, asks?, refPrefix, indent?, titleLimit, number?, room?} -> {text, frames, shown, listenersUnanswered, asks}. The caller replaces
 * the n-th FRAME_MARK in the text by ":\n" and the snapshot of the frame whose element is frames[n].ref (a handle), taken with `indent` and `depth`
 * of frames[n], or by nothing if that snapshot is empty. If `number` is given, the earlier parts of a long snapshot have already
 * been sent under this number, so that they travel while the rest is written.
 * When that was more than `room`, in UTF-16 units, the snapshot ends with {tooLarge: true, shown}.
 * `plain`: roles and names alone, without groups, refs and the contents of frames.
 * `conceals`: dots in place of passwords.
 * `outline`: the rows of outline.js instead, with `urls` and `query`; a FRAME_MARK is replaced by the rows of the frame on lines of their own.
 * `asks`: engine_keep_closed_roots() is to be asked about elements that may have a closed shadow root, if that is given. The snapshot is to be repeated if it finds one.
 * `listenersUnanswered`: listeners.js did not answer, because the page removed all listeners of its window (document.open() does).
 */
exported.snapshot = options => ({ ...takeSnapshot(options), shown: shownPage(options.titleLimit) });

export function takeSnapshot(options) {
	clearCaches();
	const roots = options.ref ? [elementByRef(options.ref)] : rootsOfPage(options);
	if (!options.plain)
		startSnapshot(options.refPrefix);
	if (options.outline && !refsAreRenewed)
		recogniseRedraws();
	const builder = new TreeBuilder(options);
	builder.take(beginTaking(builder, options));
	try {
		return written(roots, builder, options);
	} catch (error) {
		if (error !== TAKEN_WRONGLY)
			throw error;
	} finally {
		endTaking();
	}
	abandonTaking(builder);
	return written(roots, new TreeBuilder(options), options);
}

/*
 * What is laid out in the page. Scripts put elements beside <body>, too, such as what asks for consent, and a document may be an SVG
 * picture or XML. The reference shows <body> alone.
 */
function rootsOfPage({ plain }) {
	const root = rootElement(), body = bodyOf();
	if (plain || !isExtended)
		return body ? [body] : [];
	if (!root || tagOf(root) !== 'html')
		return root ? [root] : [];
	return childrenOf(root).filter(child => isElement(child) && tagOf(child) !== 'head');
}

function written(roots, builder, options) {
	const writer = options.outline ? new OutlineWriter(options, roots) : new SnapshotWriter(options);
	try {
		writer.children(treeOf(roots, builder, options, writer.depth), 0, false);
		builder.shadowRoots.forEach(observeRedraws);
		const asks = options.asks === true && askAbout([...hostsOnTop(), ...builder.hosts]).length > 0;
		return { ...writer.end(builder.clickable?.listenersUnanswered), asks };
	} catch (error) {
		if (error !== TOO_LARGE)
			throw error;
		return { tooLarge: true };
	}
}

function treeOf(roots, builder, { plain, outline }, depth) {
	const tree = builder.build(...roots);
	if (plain)
		joinTexts(tree);
	else
		condense(tree, { depth: outline ? Infinity : depth, outline });
	return tree;
}
