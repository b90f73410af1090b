/* Tables for read.js: the rows of a table as lists of cells, in which those that span several rows or columns have their place. */
import { isText } from './treenode.js';

const TABLE_CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const LAID_OUT = new Set(['table', 'heading', 'list', 'blockquote']);
const SPAN_MAX = 32; /* columns or rows; a page may claim more */
const REPEATED_LENGTH = 80; /* of the text of a cell that is repeated in each of its rows */

/* The rows of a table with what else is in it, in order; those of a table in a cell are none of them. */
export function rowsOf(table) {
	const rows = [], others = [];
	const collect = node => {
		for (const child of node.children) {
			if (isText(child)) {
				if (child.trim())
					others.push(child);
			} else if (child.role === 'row')
				rows.push(child);
			else if (child.role === 'rowgroup' || child.role === 'generic')
				collect(child);
			else
				others.push(child);
		}
	};
	collect(table);
	return { rows, others };
}

/* The cells of a row; what is none but beside them counts as one. */
export function cellsOf(row) {
	const cells = [];
	for (const child of row.children) {
		if (isText(child))
			continue;
		const inner = child.role === 'generic' ? cellsOf(child) : [];
		if (!TABLE_CELLS.has(child.role) && inner.length)
			cells.push(...inner);
		else
			cells.push(child);
	}
	return cells;
}

const isHeader = cell => cell.role === 'columnheader' || cell.tag === 'th';

/* Whether the first row has the names of columns. */
export function hasHeader(rows) {
	if (rows[0].parent.tag === 'thead')
		return true;
	const cells = cellsOf(rows[0]);
	return cells.length > 0 && cells.every(isHeader);
}

function holdsBlocks(cell) {
	return cell.children.some(child => !isText(child) && (LAID_OUT.has(child.role) || child.role === 'generic' && holdsBlocks(child)));
}

/* A table that puts parts of the page beside each other and says nothing itself. */
export function isLayout(table, rows) {
	if (table.tag !== 'table' || rows.some(row => cellsOf(row).some(isHeader)))
		return false;
	const cells = rows.map(cellsOf);
	return cells.every(({ length }) => length <= 1) || cells.some(row => row.some(holdsBlocks));
}

const spanOf = (cell, name) => cell.tag === 'td' || cell.tag === 'th' ? Math.min(Math.max(cell.element[name], 1), SPAN_MAX) : 1;

/* Puts the texts of cells into columns. */
export class Columns {
	constructor() {
		this.spanning = new Map(); /* by column: {text, left}, of a cell that goes on in the next rows */
	}

	/* The columns of the next row, whose cells have these texts. */
	place(cells, texts) {
		const row = [];
		cells.forEach((cell, i) => {
			this.fill(row);
			const down = spanOf(cell, 'rowSpan');
			for (let across = spanOf(cell, 'colSpan'), first = true; across > 0; across--, first = false) {
				if (down > 1)
					this.spanning.set(row.length, { text: first && texts[i].length <= REPEATED_LENGTH ? texts[i] : '', left: down - 1 });
				row.push(first ? texts[i] : '');
			}
		});
		this.fill(row);
		return row;
	}

	/* Cells of the rows above take the next columns. */
	fill(row) {
		for (let above = this.spanning.get(row.length); above; above = this.spanning.get(row.length)) {
			if (--above.left === 0)
				this.spanning.delete(row.length);
			row.push(above.text);
		}
	}
}
