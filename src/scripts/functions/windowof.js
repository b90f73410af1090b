/* The window of the document that it is called on: `this` of a plain function, which no page can replace. */
export default function () {
	return (function () { return this; })();
}
