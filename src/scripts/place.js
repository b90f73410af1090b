/* The element that the last action of a call was for: a view of the page shows it whatever is left out. */
let place = null; /* a WeakRef */

export function notePlace(element) {
	place = new WeakRef(element);
}

export const placeOfAction = () => place?.deref() ?? null;
