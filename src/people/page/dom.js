/* Making and changing elements. Texts of pages and clients go into the document as text nodes only. */

/* `options`: `class`, `text`, `on` with listeners; all others are attributes, which false, null and undefined leave out. */
export function element(tag, options = {}, ...children) {
	const made = document.createElement(tag);
	const { class: className, text, on, ...attributes } = options;
	if (className)
		made.className = className;
	if (text !== undefined)
		made.textContent = text;
	for (const [type, listener] of Object.entries(on ?? {}))
		made.addEventListener(type, listener);
	for (const [name, value] of Object.entries(attributes))
		setAttribute(made, name, value);
	made.append(...children.filter(child => child !== null && child !== undefined));
	return made;
}

/* A change that is none would make assistive technology read the element again. */
export function setText(target, text) {
	if (target.textContent !== text)
		target.textContent = text;
}

export function setAttribute(target, name, value) {
	if (value === false || value === null || value === undefined)
		target.removeAttribute(name);
	else if (target.getAttribute(name) !== String(value === true ? '' : value))
		target.setAttribute(name, value === true ? '' : value);
}

export function setHidden(target, hidden) {
	if (target.hidden !== hidden)
		target.hidden = hidden;
}

/* Without `before`, at the beginning. */
export function insertAfter(list, root, before) {
	list.insertBefore(root, before ? before.nextSibling : list.firstChild);
}

/*
 * The children of a list by their keys. An element stays the same as long as its key is there, and is moved only if its place has changed,
 * so that focus and selection in it stay.
 */
export class KeyedList {
	constructor(list, make) {
		this.list = list;
		this.make = make; /* (key) -> {root, ...} */
		this.parts = new Map();
	}

	get(key) {
		return this.parts.get(key);
	}

	arrange(keys) {
		const wanted = new Set(keys);
		for (const [key, part] of this.parts)
			if (!wanted.has(key)) {
				part.end?.();
				part.root.remove();
				this.parts.delete(key);
			}
		let before = this.list.firstElementChild;
		for (const key of wanted) {
			if (!this.parts.has(key))
				this.parts.set(key, this.make(key));
			const { root } = this.parts.get(key);
			if (root === before)
				before = before.nextElementSibling;
			else
				this.list.insertBefore(root, before);
		}
	}
}

/* What is to be read aloud, at most one text in two seconds; the last one wins. */
let announcement = 0;
export function announce(text) {
	clearTimeout(announcement);
	announcement = setTimeout(() => {
		document.getElementById('announcer').textContent = text;
	}, 300);
}
