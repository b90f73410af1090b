/*
 * How elements of this document are named. A ref ("e5") is what snapshots show; it counts the possible targets in the order in
 * which snapshots met them. A handle ("@7") is for the server's own use: it is given when it is asked for, so that locators do
 * not use up refs, and it stays with its element whatever becomes of the ref. Both begin with the prefix of the frame ("f2e5").
 *
 * An element keeps its ref as long as it exists, and a ref is never reused. Where refs are renewed (as the reference does it),
 * an element whose role or name has changed gets a new ref in the next snapshot, and only the refs of the last snapshot are valid.
 * Elements that left the document are held weakly, but keep their ref and handle if they return.
 */
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { isAttached, rootDocumentOf } from './raw.js';

const SWEEP_SIZE_MIN = 1000;
const IDENTITY = Symbol('identity'); /* property of an element in this world, which the page does not see */
const WRITTEN = /^(?:f\d+)?([e@])(0|[1-9]\d*)$/;
const REF_SIGN = 'e', HANDLE_SIGN = '@';

/* Set ahead of the scripts. */
export const refsAreRenewed = globalThis.browserdRenewsRefs === true;

/*
 * The names of an element: `number`, of its ref (0: it has none); `ref`, as it is written; `handle`, the number of its handle (0: none);
 * `role` and `name` for which the ref was given; `snapshot`, the last one that had the ref; `isShown`: the ref was printed; `isListed`:
 * in `elements`, as far as it has numbers.
 */
const newIdentity = () => ({ number: 0, ref: '', handle: 0, role: '', name: '', snapshot: 0, isShown: false, isListed: true });

const elements = new Map(); /* by the number of their ref, and by that of their handle, negative */
let lastNumber = 0;
/* A frame's documents may have the same prefix: the numbers of handles begin with the time, so that none means two elements. */
let lastHandle = Math.round(performance.timeOrigin * 1000);
let snapshots = 0;
let refPrefix = '';
let sweepAt = SWEEP_SIZE_MIN;

function identityOf(element) {
	const identity = element[IDENTITY] ??= newIdentity();
	if (!identity.isListed)
		list(element, identity);
	return identity;
}

function list(element, identity) {
	identity.isListed = true;
	if (identity.number)
		elements.set(identity.number, element);
	if (identity.handle)
		elements.set(-identity.handle, element);
}

/* The identity of an element, with a ref that is valid from now on. `name` counts only where refs are renewed. */
export function numbered(element, role, name) {
	let identity = element[IDENTITY];
	if (!identity?.isListed)
		identity = identityOf(element);
	if (identity.number === 0 || refsAreRenewed && (identity.role !== role || identity.name !== name)) {
		elements.delete(identity.number);
		identity.number = ++lastNumber;
		identity.ref = refPrefix + REF_SIGN + lastNumber;
		identity.role = role;
		identity.name = name;
		elements.set(lastNumber, element);
	}
	if (refsAreRenewed)
		identity.snapshot = snapshots;
	return identity;
}

/* Of an element that has a ref already, which it keeps whatever its name becomes; else null. */
export function numberedIdentity(element) {
	const identity = element[IDENTITY];
	return !refsAreRenewed && identity?.isListed && identity.number > 0 ? identity : null;
}

/* `element` stands in the place of `old`, which has left the document, and has its ref from now on. A handle stays with its element. */
export function inheritRef(old, element) {
	const former = old[IDENTITY];
	if (!former?.number || element[IDENTITY]?.number)
		return;
	const { number, ref, role, name, isShown } = former, identity = identityOf(element);
	Object.assign(former, { number: 0, ref: '', isShown: false });
	Object.assign(identity, { number, ref, role, name, isShown });
	list(element, identity);
}

export function handleOf(element, prefix) {
	const identity = identityOf(element);
	if (identity.handle === 0) {
		identity.handle = ++lastHandle;
		elements.set(-identity.handle, element);
	}
	return prefix + HANDLE_SIGN + identity.handle;
}

/* The ref of an element that an answer has shown, else null. */
export function shownRef(element) {
	const identity = element[IDENTITY];
	return identity?.isShown && isValid(identity) ? identity.ref : null;
}

const isValid = identity => !refsAreRenewed || identity.snapshot === snapshots;

/* Called when a snapshot begins, with the prefix of refs. */
export function startSnapshot(prefix) {
	snapshots++;
	refPrefix = prefix;
	sweep();
}

/* Examines the elements only after their number has doubled, so the amortised cost is constant. */
function sweep() {
	if (elements.size < sweepAt)
		return;
	for (const [number, element] of elements) {
		if (isAttached(element))
			continue;
		elements.delete(number);
		element[IDENTITY].isListed = false;
	}
	sweepAt = Math.max(SWEEP_SIZE_MIN, 2 * elements.size);
}

/* Looks whether others stand in the place of elements that have left the document: redraws.js. */
let recogniseLost = () => {};
export const setRecogniser = recognise => recogniseLost = recognise;

/* `ref` may be a handle. */
export function elementByRef(ref) {
	const [, sign, digits] = WRITTEN.exec(ref) ?? [];
	const isHandle = sign === HANDLE_SIGN;
	const number = isHandle ? -digits : Number(digits);
	if (!isHandle && elements.has(number) && !isAttached(elements.get(number)))
		recogniseLost();
	const element = elements.get(number);
	if (element && isAttached(element) && rootDocumentOf(element) === document && (isHandle || isValid(element[IDENTITY])))
		return element;
	throw isHandle ? new Failure('REF_NOT_FOUND', 'elementRemoved') : new Failure('REF_NOT_FOUND', 'refUnknown', { ref, isGone: Number(digits) <= lastNumber });
}

/* {ref} -> the element itself (not a JSON value), to ask the browser about. */
exported.element = ({ ref }) => elementByRef(ref);
