/* Stores the items, {name, value}, in the document's local storage. */
export default items => {
	for (const { name, value } of items)
		localStorage.setItem(name, value);
};
