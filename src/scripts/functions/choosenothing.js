/* Empties a file field: Chromium takes no empty list for a choice of files. */
export default function () {
	this.value = '';
	for (const type of ['input', 'change'])
		this.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}
