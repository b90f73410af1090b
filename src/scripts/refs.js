/*
 * Refs are short identifiers of elements, valid in this document only. An element keeps its ref as long as it exists, and a
 * ref is never reused. Elements that left the document are held weakly, but keep their ref if they return.
 */
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { isAttached, rootDocumentOf } from './raw.js';

const SWEEP_SIZE_MIN = 1000;
const KNOWN_REF = Symbol('ref'); /* property of an element in this world, which the page does not see */
const elementOfRef = new Map();
const detachedRefs = new WeakMap(); /* elements that left the document, with their refs */
let lastRef = 0;
let sweepAt = SWEEP_SIZE_MIN;

export function refOf(element, prefix) {
	return element[KNOWN_REF] ??= listedRef(element, prefix);
}

/* The ref of an element that an answer has shown, else null. */
export const knownRef = element => element[KNOWN_REF] ?? null;

function listedRef(element, prefix) {
	const ref = detachedRefs.get(element) ?? `${prefix}e${++lastRef}`;
	elementOfRef.set(ref, element);
	return ref;
}

/* Called before a snapshot. It examines the refs only after their number has doubled, so the amortised cost is constant. */
export function sweepRefs() {
	if (elementOfRef.size < sweepAt)
		return;
	for (const [ref, element] of elementOfRef) {
		if (isAttached(element))
			continue;
		elementOfRef.delete(ref);
		element[KNOWN_REF] = undefined;
		detachedRefs.set(element, ref);
	}
	sweepAt = Math.max(SWEEP_SIZE_MIN, 2 * elementOfRef.size);
}

export function elementByRef(ref) {
	const element = elementOfRef.get(ref);
	if (element && isAttached(element) && rootDocumentOf(element) === document)
		return element;
	throw new Failure('REF_NOT_FOUND', 'refUnknown', { ref });
}

/* {ref} -> the element itself (not a JSON value), to ask the browser about. */
exported.element = ({ ref }) => elementByRef(ref);
