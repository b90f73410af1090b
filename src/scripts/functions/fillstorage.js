/* Makes the items, {name, value}, the contents of the document's `localStorage` or `sessionStorage`. */
export default (items, storage = 'localStorage') => {
	window[storage].clear();
	for (const { name, value } of items)
		window[storage].setItem(name, value);
};
