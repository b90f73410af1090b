/* Makes the items, {name, value}, the contents of the document's local storage. */
export default items => {
	localStorage.clear();
	for (const { name, value } of items)
		localStorage.setItem(name, value);
};
