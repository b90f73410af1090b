const NAMED_COLOURS = {
	__proto__: null, '#000000': 'black', '#ffffff': 'white', '#ff0000': 'red', '#00ff00': 'lime', '#0000ff': 'blue',
	'#ffff00': 'yellow', '#00ffff': 'cyan', '#ff00ff': 'magenta', '#808080': 'gray', '#008000': 'green', '#800080': 'purple',
	'#000080': 'navy', '#008080': 'teal', '#808000': 'olive', '#800000': 'maroon', '#c0c0c0': 'silver', '#ffd700': 'gold', '#ffa500': 'orange', '#a52a2a': 'brown', '#ffc0cb': 'pink',
};

/* A colour as computed style has it, by its name where that is well known. '' for what is transparent or no colour. */
export function colourName(colour) {
	const [, red, green, blue, alpha] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour) ?? [];
	if (red === undefined || Number(alpha) === 0)
		return '';
	const text = '#' + [red, green, blue].map(part => Number(part).toString(16).padStart(2, '0')).join('');
	return NAMED_COLOURS[text] ?? text;
}
