/* Does one thing with `localStorage` or `sessionStorage`. The value, {value}, or the text of the exception, {error}. */
export default (storage, operation, key, value) => {
	try {
		const items = window[storage];
		switch (operation) {
		case 'list':
			return { value: Array.from(items, (_, index) => items.key(index)).map(name => [name, items.getItem(name)]) };
		case 'get':
			return { value: items.getItem(key) };
		case 'set':
			return { value: items.setItem(key, value) };
		case 'delete':
			return { value: items.removeItem(key) };
		default:
			return { value: items.clear() };
		}
	} catch (error) {
		return { error: String(error) };
	}
};
