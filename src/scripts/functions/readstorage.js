/* The items of the document's local storage, {name, value}; null where it has none. */
export default () => {
	try {
		return Array.from(localStorage, (_, index) => localStorage.key(index))
			.map(name => ({ name, value: localStorage.getItem(name) }));
	} catch {
		return null;
	}
};
