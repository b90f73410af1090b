/*
 * A page as Markdown, for its text: a writer over the tree of tree.js. It makes units (headings, paragraphs, items, rows, blocks of
 * code), of which a section or those with certain words are taken, and which are joined at the end.
 */
import { hasArea } from './area.js';
import { styleOf } from './contents.js';
import { bodyOf, rootElement } from './dom.js';
import { exported } from './exported.js';
import { ariaLabel } from './names.js';
import { clearCaches } from './operation.js';
import { attributeOf, baseOf, collapseSpace, hasAttribute, MATH_SPACE, rectOf, spaceOf } from './raw.js';
import { elementByRef, handleOf } from './refs.js';
import { reader } from './readhidden.js';
import { Columns, cellsOf, hasHeader, isLayout, rowsOf } from './readtable.js';
import { BREAK, cleaned, codeLines, codeSpan, onOneLine, paragraphsIn, PART } from './readtext.js';
import { textOfUnits, unitsOfSection, unitsWith } from './readunits.js';
import { askAbout, closedRootCandidates } from './roots.js';
import { checkedOf, levelOf } from './states.js';
import { TreeBuilder } from './tree.js';
import { isText } from './treenode.js';

const NESTING_MAX = 12; /* lists and quotations in each other that are indented */
const LINE_LENGTH = 160; /* of neighbours that share a line */
const URL_LENGTH = 2000;
const HEADING_LEVELS = 6;
const FRAME_COST = 64; /* of a frame, in the units of a text: a page may have any number of them */
const NONE = new Set();
const BESIDE_MAIN = new Set(['navigation']);
const BESIDE_TEXT = new Set(['banner', 'navigation', 'complementary', 'contentinfo']);

/* Their names may be no text of the page. */
const NAMED_FIELDS = new Set(['button', 'checkbox', 'combobox', 'link', 'radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'textbox']);

/* ---- kinds of nodes ---- */

/* Browsers draw blanks around the signs of a formula that no text has, whatever they say its display is. */
const isInFormula = ({ tag, element }) => tag.startsWith('m') && tag !== 'math' && spaceOf(element) === MATH_SPACE;
const isInLineByStyle = node => node.isReadInLine ??= !isInFormula(node) &&
	(/^(?:inline|contents|math|ruby)/.test(styleOf(node.element).display) || isPlaced(node));
/* A span with a place of its own is a block by its style, but a mark on what is around it. */
const isPlaced = ({ tag, element }) => tag === 'span' && styleOf(element).position === 'absolute';
/* It does not touch the text around it. */
const isBox = node => node.isReadAsBox ??= styleOf(node.element).display.startsWith('inline-') || isPlaced(node);
const isItem = ({ role }) => role === 'listitem' || role === 'treeitem' || role === 'option' || role.startsWith('menuitem');
const isCode = node => node.tag === 'pre' || node.role === 'code' && !isInLineByStyle(node);
const isInLine = node => !(blockOf(node) || isCode(node)) && isInLineByStyle(node);
const keepsLines = node => node.keepsLines ??= Boolean(node.element) && /^(?:pre|break)/.test(styleOf(node.element).whiteSpace);

/* Nothing in it begins a line of its own but boxes. */
const isPlain = node => node.isPlainText ??= !node.isFrame && node.tag !== 'br' && !blockOf(node) && !isCode(node) &&
	node.children.every(child => isText(child) || isPlain(child));

/* The length of the text in it, without the blanks at the ends of its parts. */
const lengthOf = node => node.textLength ??= node.children.reduce((sum, child) => sum + (isText(child) ? child.trim().length : lengthOf(child)), 0);

/* Its parts are beside each other, and short enough for a line: a flex box, a grid, a row of a table that is made with styles. */
function isRowOfParts(node) {
	if (!node.element || node.children.length < 2)
		return false;
	const { display, flexDirection } = styleOf(node.element);
	const isRow = /flex/.test(display) ? !flexDirection.startsWith('column') : /grid|table-row$/.test(display);
	return isRow && isPlain(node) && lengthOf(node) <= LINE_LENGTH;
}

const addressOf = text => {
	try {
		const { href, protocol } = new URL(text, baseOf(document));
		const isUseful = protocol !== 'javascript:' && protocol !== 'data:' && href.length <= URL_LENGTH;
		return isUseful ? href.replace(/[()<>\s]/g, encodeURIComponent).replace(/[()]/g, sign => sign === '(' ? '%28' : '%29') : null;
	} catch {
		return null;
	}
};

const bracketed = text => text.replace(/[[\]]/g, '\\$&');

/* ---- the writer ---- */

class MarkdownWriter {
	constructor({ urls = false, prefix = '', limit, refPrefix = '', words }, skipped) {
		this.urls = urls;
		this.refPrefix = refPrefix;
		this.limit = limit;
		this.skipped = skipped; /* roles */
		this.units = [];
		this.isSearched = words !== undefined;
		this.names = ''; /* of controls that no unit has yet: what a search finds there beside the text */
		this.size = 0;
		this.isCut = false;
		this.run = []; /* parts of the text that is not in a unit yet */
		this.flat = 0; /* above 0: everything goes on one line */
		this.waiting = []; /* frames in it */
		this.prefix = prefix; /* of lines: of the lists and quotations around */
		this.marker = null; /* with which the next line begins instead */
		this.own = ''; /* the last part of it */
		this.nesting = 0;
		this.listing = null; /* the list around, as far as its items count */
		this.outermost = null; /* of the lists around */
		this.path = []; /* the headings above: {level, text} */
	}

	/* ---- units ---- */

	unit(kind, lines, more) {
		const length = more?.frame ? this.prefix.length + FRAME_COST : lines.reduce((sum, line) => sum + line.length + this.prefix.length + 1, 0);
		if (this.size + length > this.limit)
			this.isCut = true;
		if (this.isCut)
			return;
		this.size += length;
		this.units.push({ kind, lines, first: this.marker ?? this.prefix, rest: this.prefix, own: this.own, list: this.outermost, path: this.path,
			names: this.names, ...more });
		this.names = '';
		if (lines.length) {
			this.marker = null;
			this.own = '';
		}
	}

	/* Ends the paragraph. */
	flush() {
		const { run, waiting } = this;
		this.run = [];
		this.waiting = [];
		for (const lines of paragraphsIn(run.join('')))
			this.unit('paragraph', lines);
		if (this.names && this.units.length) { /* a control below its text */
			this.units.at(-1).names += this.names;
			this.names = '';
		}
		waiting.forEach(node => this.frame(node));
	}

	/* Adds to the paragraph. */
	write(text) {
		if (text)
			this.run.push(text);
	}

	boundary() {
		if (this.flat)
			this.write(PART);
		else
			this.flush();
	}

	/* Calls `write` for what is in a list or quotation: lines begin with `mark`, the others with `prefix`. */
	nested(mark, prefix, write) {
		const { prefix: outer, marker, own } = this;
		if (this.nesting === NESTING_MAX) {
			write();
			this.flush();
			return;
		}
		this.nesting++;
		this.marker = (marker ?? outer) + mark;
		this.own = mark;
		this.prefix += prefix;
		write();
		this.flush();
		this.nesting--;
		this.prefix = outer;
		if (this.marker !== null) { /* nothing was written */
			this.marker = marker;
			this.own = own;
		}
	}

	/* ---- texts ---- */

	text(node, text) {
		let shown = cleaned(text);
		if (shown.includes('\n') && keepsLines(node))
			shown = shown.replace(/\r?\n/g, BREAK);
		this.write(this.urls ? shown.replaceAll('](', ']\\(') : shown);
	}

	/* What is in the node on one line. */
	lineOf(node, separator = ' ') {
		const outer = this.run;
		this.run = [];
		this.flat++;
		this.children(node);
		this.flat--;
		const line = onOneLine(this.run.join(''), separator);
		this.run = outer;
		return line;
	}

	/* ---- nodes ---- */

	children(node) {
		for (const child of node.children) {
			if (isText(child))
				this.text(node, child);
			else if (!this.skipped.has(child.role))
				this.node(child);
		}
	}

	node(node) {
		if (node.tag === 'br') {
			this.write(this.flat ? PART : BREAK);
			return;
		}
		if (this.isSearched && NAMED_FIELDS.has(node.role))
			this.names += ` ${node.name}`;
		if (!isInLine(node)) {
			this.boundary();
			this.contents(node);
			this.boundary();
			return;
		}
		const space = isBox(node) ? ' ' : '';
		this.write(space);
		this.contents(node);
		this.write(space);
	}

	contents(node) {
		const phrase = phraseOf(node), block = this.flat ? undefined : blockOf(node);
		if (node.isFrame)
			this.frame(node);
		else if (phrase)
			phrase(this, node);
		else if (!this.flat && isCode(node))
			this.code(node);
		else if (block)
			block(this, node);
		else if (!this.flat && isRowOfParts(node))
			this.parts(node);
		else
			this.children(node);
	}

	frame(node) {
		const { width, height } = rectOf(node.element);
		if (width <= 1 || height <= 1 || !hasArea(node.element))
			return;
		if (this.flat) {
			this.waiting.push(node);
			return;
		}
		this.flush();
		this.unit('frame', [], { frame: { ref: handleOf(node.element, this.refPrefix), prefix: this.prefix } });
	}

	parts(node) {
		const texts = node.children.map(child => isText(child) ? collapseSpace(cleaned(child)) : this.lineOf({ children: [child] }))
			.filter(Boolean);
		this.write(texts.join(' | '));
	}

	heading(node) {
		const text = this.lineOf(node);
		if (!text)
			return;
		const level = Math.min(levelOf(node.element, 'heading') || 2, HEADING_LEVELS);
		this.path = [...this.path.filter(above => above.level < level), { level, text }];
		this.unit('heading', [`${'#'.repeat(level)} ${text}`], { level, path: this.path });
	}

	list(node) {
		const { listing, outermost } = this;
		this.listing = node.tag === 'ol' ? numbering(node) : null;
		this.outermost ??= node;
		this.children(node);
		this.flush();
		this.listing = listing;
		this.outermost = outermost;
	}

	item(node) {
		const { listing, outermost } = this;
		let mark = '- ';
		if (listing) {
			const number = node.tag === 'li' && attributeOf(node.element, 'value') !== null ? node.element.value : listing.next;
			mark = `${number}. `;
			listing.next = number + listing.step;
		}
		this.listing = null;
		this.outermost ??= node.parent;
		this.nested(mark, ' '.repeat(mark.length), () => this.children(node));
		this.listing = listing;
		this.outermost = outermost;
	}

	quotation(node) {
		this.nested('> ', '> ', () => this.children(node));
	}

	/* <dd> */
	definition(node) {
		this.nested(': ', '  ', () => this.children(node));
	}

	code(node) {
		const named = [node, ...node.children.filter(child => !isText(child))];
		const language = named.map(({ element }) => /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,20})/.exec(attributeOf(element, 'class') ?? '')?.[1]).find(Boolean);
		const lines = codeLines(sourceOf(node), language ?? '');
		if (lines.length)
			this.unit('code', lines);
	}

	table(node) {
		const { rows, others } = rowsOf(node);
		this.children({ element: null, children: others });
		this.flush();
		if (!rows.length)
			return;
		if (isLayout(node, rows)) {
			rows.forEach(row => cellsOf(row).forEach(cell => this.node(cell)));
			return;
		}
		const columns = new Columns();
		const head = hasHeader(rows) ? headLines(this.row(rows[0], columns)) : null;
		if (head)
			this.unit('head', head, { table: node });
		for (const row of head ? rows.slice(1) : rows)
			this.tableRow(row, columns, { table: node, head });
		this.flush();
	}

	/* The texts of its columns. */
	row(node, columns) {
		const cells = cellsOf(node);
		return columns.place(cells, cells.map(cell => this.lineOf({ children: [cell] }, ' / ')));
	}

	tableRow(node, columns, more) {
		const texts = this.row(node, columns);
		if (texts.some(Boolean))
			this.unit('row', [rowLine(texts)], more);
	}

	/* ---- phrases ---- */

	link(node) {
		const address = this.urls ? addressOf(attributeOf(node.element, 'href') ?? '') : null;
		if (address !== null && isPlain(node)) {
			const text = this.lineOf(node);
			if (isSign(text))
				this.label(node, address, text);
			else
				this.write(`[${bracketed(text)}](${address})`);
			return;
		}
		const { length: start } = this.run, { units } = this, count = units.length;
		this.children(node);
		const written = this.run.slice(start).join('').trim();
		if (units.length === count && isSign(written)) {
			this.run.length = Math.min(this.run.length, start);
			this.label(node, address, written);
		} else if (address !== null)
			this.write(` <${address}>`);
	}

	/* A link without a text: a picture that says nothing, or the sign that leads to a heading. */
	label({ element }, address, sign) {
		const name = sign === '' ? collapseSpace(cleaned(ariaLabel(element) || (attributeOf(element, 'title') ?? ''))) : '';
		if (name)
			this.write(address === null ? name : `[${bracketed(name)}](${address})`);
	}

	picture(node) {
		const { tag, element } = node;
		const name = collapseSpace(cleaned(node.name));
		const address = this.urls && tag === 'img' ? addressOf(attributeOf(element, 'src') ?? '') : null;
		if (/^\p{Extended_Pictographic}/u.test(name) && name.length <= 8)
			this.write(name);
		else if (name)
			this.write(`![${bracketed(name)}]${address === null ? '' : `(${address})`}`);
		else
			this.children(node);
	}

	phrase(node, before, after) {
		const text = this.lineOf(node);
		if (text)
			this.write(before + text + after);
	}
}

/* The number of the first item, and how they go on. */
function numbering({ element, children }) {
	if (!element.reversed)
		return { next: element.start, step: 1 };
	const isGiven = attributeOf(element, 'start') !== null;
	return { next: isGiven ? element.start : children.filter(({ role }) => role === 'listitem').length, step: -1 };
}

const isSign = text => /^[¶#§🔗⚓]?$/u.test(text);
const rowLine = texts => `| ${texts.map(text => text.replaceAll('|', '\\|')).join(' | ')} |`;

const headLines = texts => [rowLine(texts), `|${'---|'.repeat(texts.length)}`];

/* The text of a block of code, with its line breaks. */
function sourceOf(node) {
	const parts = [];
	const add = text => text && parts.push(text);
	const endLine = () => {
		if (parts.length && !parts.at(-1).endsWith('\n'))
			parts.push('\n');
	};
	const collect = ({ children }) => {
		for (const child of children) {
			if (isText(child))
				add(child);
			else if (child.tag === 'br')
				parts.push('\n');
			else if (child.role !== 'button') {
				const isApart = !isInLineByStyle(child) && child.role !== 'cell';
				if (isApart)
					endLine();
				collect(child);
				if (isApart)
					endLine();
			}
		}
	};
	collect(node);
	return parts.join('');
}

const BLOCK_WRITERS = {
	__proto__: null,
	blockquote: (writer, node) => writer.quotation(node),
	definition: (writer, node) => writer.definition(node),
	grid: (writer, node) => writer.table(node),
	heading: (writer, node) => writer.heading(node),
	list: (writer, node) => writer.list(node),
	paragraph: (writer, node) => writer.children(node),
	separator: () => {},
	table: (writer, node) => writer.table(node),
	treegrid: (writer, node) => writer.table(node),
};

/* How a node is written that is never a part of the text around it. */
const writeItem = (writer, node) => writer.item(node);
const blockOf = node => isItem(node) ? writeItem : BLOCK_WRITERS[node.role];

const isStruck = ({ tag }) => tag === 'del' || tag === 's' || tag === 'strike';
const isBesideItsCode = ({ parent }) => parent !== null && (parent.holdsCode ??= parent.children.some(({ tag }) => tag === 'pre'));
const state = (writer, node) => {
	writer.write(checkedOf(node.element, node.role) ? '[x] ' : '[ ] ');
	writer.children(node);
};

const isExponent = (before, { children }) => /[\w)]$/.test(before) && /^[-+−]?\d{1,3}$/.test(collapseSpace(children.filter(isText).join('')));

const PHRASE_WRITERS = {
	__proto__: null,
	button: (writer, node) => isBesideItsCode(node) || writer.children(node),
	checkbox: state,
	code: (writer, node) => {
		const text = writer.lineOf(node);
		if (text)
			writer.write(codeSpan(text));
	},
	img: (writer, node) => writer.picture(node),
	link: (writer, node) => writer.link(node),
	math: (writer, node) => {
		writer.write(cleaned(attributeOf(node.element, 'alttext') ?? writer.lineOf(node)));
	},
	radio: state,
	superscript: (writer, node) => writer.phrase(node, isExponent(writer.run.at(-1) ?? '', node) ? '^' : '', ''),
	switch: state,
};

const VALUES = new Set(['meter', 'progressbar', 'slider', 'spinbutton']);

function value(writer, node) {
	const { element } = node;
	const text = writer.lineOf(node) || (attributeOf(element, 'aria-valuetext') ?? attributeOf(element, 'aria-valuenow') ?? attributeOf(element, 'value') ?? '');
	writer.write(` ${cleaned(text)} `);
}

function chosen(writer, { element }) {
	writer.write(` ${[...element.selectedOptions].map(option => collapseSpace(cleaned(option.label))).join(', ')} `);
}

/* What is drawn, and named in words: <i title="Yes">. */
const isNamedSign = node => node.role === 'generic' && !node.bare && (hasAttribute(node.element, 'aria-label') || hasAttribute(node.element, 'title')) && !hasText(node);
const nameOfSign = (writer, node) => writer.write(` ${cleaned(node.name)} `);

/* How a node is written that may be a part of the text around it; undefined: as what is in it. */
function phraseOf(node) {
	if (isNamedSign(node))
		return nameOfSign;
	if (node.tag === 'select')
		return chosen;
	if (node.tag === 'input' && node.element.type === 'password')
		return () => {};
	if (isStruck(node))
		return writer => writer.phrase(node, '~~', '~~');
	if (node.role === 'code' && isCode(node))
		return undefined;
	return VALUES.has(node.role) ? value : PHRASE_WRITERS[node.role];
}

/* ---- what is read ---- */

function hasText(node) {
	return node.children.some(child => isText(child) ? child.trim() !== '' : child.role === 'img' ? child.name !== '' || hasText(child) : hasText(child));
}

function nodesOf(node, role, found = []) {
	for (const child of node.children) {
		if (isText(child))
			continue;
		if (child.role === role)
			found.push(child);
		else
			nodesOf(child, role, found);
	}
	return found;
}

/* The tops of what may be wanted, the best first, each with the roles that are left out in it. */
function choices(tree, isScope) {
	if (isScope)
		return [[tree, NONE]];
	const main = nodesOf(tree, 'main').find(hasText);
	const articles = main ? [] : nodesOf(tree, 'article').filter(hasText);
	const best = main ? [[main, BESIDE_MAIN]] : articles.length === 1 ? [[articles[0], BESIDE_MAIN]] : [];
	return [...best, [tree, BESIDE_TEXT], [tree, NONE]];
}

function write(top, skipped, options) {
	const writer = new MarkdownWriter(options, skipped);
	if (top.element)
		writer.node(top);
	else
		writer.children(top);
	writer.flush();
	return writer;
}

/* What of the units is wanted: {units}, or {missing} where there is no such section. */
function wanted(units, { section, words }) {
	const found = section === undefined ? { units } : unitsOfSection(units, section);
	return found.units && words !== undefined ? { units: unitsWith(found.units, words) } : found;
}

/* A frame may have what is wanted, or not. */
const saysSomething = ({ units }, isChosen) => units !== undefined && units.some(({ kind }) => kind !== 'frame' || !isChosen);

/*
 * {asks?, ref?, section?, words?, urls?, prefix?, limit, refPrefix} -> {text, frames, missing, isCut}; or {asks}, if that is given, when there
 * are elements that engine_keep_closed_roots() has to be asked about before the same call is repeated. The caller replaces the n-th FRAME_PLACE in
 * the text by that of the frame whose element is frames[n].ref (a handle), whose lines begin with frames[n].prefix; frames that were looked
 * for a section in vain are asked for it, too. `missing`: {headings, isAmbiguous}, when there is no such section here.
 */
exported.read = options => {
	clearCaches();
	if (options.asks && askAbout(closedRootCandidates([document], NONE)).length)
		return { asks: true };
	const top = options.ref ? elementByRef(options.ref) : bodyOf() ?? rootElement();
	const tree = new TreeBuilder({ reader }).build(top);
	const isFiltered = options.words !== undefined;
	let writer, found;
	for (const [node, skipped] of choices(tree, options.ref !== undefined)) {
		writer = write(node, skipped, options);
		found = wanted(writer.units, options);
		if (saysSomething(found, options.section !== undefined || isFiltered) || found.missing?.isAmbiguous)
			break;
	}
	const units = found.units ?? writer.units.filter(({ kind }) => kind === 'frame');
	const { text, frames, isCut } = textOfUnits(units, isFiltered, options.limit);
	return { text, frames, missing: found.missing, isCut: isCut || writer.isCut };
};
