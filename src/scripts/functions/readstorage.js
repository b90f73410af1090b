/* The items of the document's `localStorage` or `sessionStorage`, {name, value}; null where it has none. */
export default (storage = 'localStorage') => {
	try {
		const items = window[storage];
		return Array.from(items, (_, index) => items.key(index)).map(name => ({ name, value: items.getItem(name) }));
	} catch {
		return null;
	}
};
