/* Arguments of what pages and the context have in common. */
import { textOfFile } from './bytes.js';

export function checkedHeaders(api, headers) {
	for (const [name, value] of Object.entries(headers)) {
		if (typeof value !== 'string')
			throw new Error(`${api}: Expected value of header "${name}" to be String, but "${typeof value}" is found.`);
	}
	return { ...headers };
}

/* A path as a part of a comment line. */
export const lineOf = path => String(path).replace(/[\r\n\u2028\u2029]/g, '');

/* The text of a script: a function and its argument, a text, {content} or {path}. */
export async function initScript(api, script, arg) {
	if (typeof script === 'function')
		return `(${script})(${arg === undefined ? 'undefined' : JSON.stringify(arg)});`;
	if (typeof script === 'string')
		return script;
	if (typeof script?.content === 'string')
		return script.content;
	if (script?.path === undefined)
		throw new Error(`${api}: Either path or content property must be present`);
	return `${await textOfFile(api, script.path)}\n//# sourceURL=${lineOf(script.path)}`;
}

const MEDIA = {
	colorScheme: ['prefers-color-scheme', ['dark', 'light', 'no-preference']],
	reducedMotion: ['prefers-reduced-motion', ['reduce', 'no-preference']],
	forcedColors: ['forced-colors', ['active', 'none']],
	contrast: ['prefers-contrast', ['more', 'no-preference']],
};

/* What CDP takes for the settings {media, colorScheme...}: null and undefined leave a feature to the browser. */
export function mediaFeatures(api, settings) {
	const { media } = settings;
	if (media !== undefined && media !== null && !['screen', 'print', 'no-override'].includes(media))
		throw new Error(`${api}: media: expected one of (screen|print|no-override)`);
	const features = Object.entries(MEDIA).map(([option, [name, values]]) => {
		const value = settings[option];
		if (value !== undefined && value !== null && ![...values, 'no-override'].includes(value))
			throw new Error(`${api}: ${option}: expected one of (${[...values, 'no-override'].join('|')})`);
		return { name, value: values.includes(value) ? value : '' };
	});
	return { media: ['screen', 'print'].includes(media) ? media : '', features };
}

const PAPERS = {
	letter: [8.5, 11], legal: [8.5, 14], tabloid: [11, 17], ledger: [17, 11], a0: [33.1, 46.8], a1: [23.4, 33.1], a2: [16.54, 23.4],
	a3: [11.7, 16.54], a4: [8.27, 11.7], a5: [5.83, 8.27], a6: [4.13, 5.83],
};
const UNITS_PER_INCH = { px: 96, in: 1, cm: 2.54, mm: 25.4 };

function inches(api, name, value) {
	const [, number, unit] = /^(-?[\d.]+)(px|in|cm|mm)?$/.exec(String(value)) ?? [];
	if (number === undefined || Number.isNaN(Number(number)))
		throw new Error(`${api}: Failed to parse parameter value: ${value}`);
	return Number(number) / UNITS_PER_INCH[unit ?? 'px'];
}

/* What the operation `pdf` takes: lengths in inches, texts, and whether. */
export function printOptions(api, options) {
	const { format, margin = {}, landscape = false, scale = 1, pageRanges = '', headerTemplate, footerTemplate } = options;
	const paper = format === undefined ? PAPERS.letter : PAPERS[String(format).toLowerCase()];
	if (!paper)
		throw new Error(`${api}: Unknown paper format: ${format}`);
	const size = name => options[name] === undefined || format !== undefined ? undefined : inches(api, name, options[name]);
	const side = name => margin[name] === undefined ? 0 : inches(api, `margin.${name}`, margin[name]);
	return {
		width: size('width') ?? paper[0], height: size('height') ?? paper[1], landscape, scale, ranges: pageRanges,
		margin: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') },
		headerAndFooter: options.displayHeaderFooter ?? false, header: headerTemplate, footer: footerTemplate,
		background: options.printBackground ?? false, cssSize: options.preferCSSPageSize ?? false,
		tagged: options.tagged ?? false, outline: options.outline ?? false,
	};
}
