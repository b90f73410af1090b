/* Roles as the outline (outline.js) tells them apart. */
import { setOf } from './states.js';

/* What a user can act on, with a ref of its own. */
export const ACTABLE = setOf('button link textbox searchbox checkbox radio combobox option slider spinbutton summary switch tab menuitem ' +
	'menuitemcheckbox menuitemradio treeitem listbox iframe scrollbar');
export const LANDMARKS = setOf('banner complementary contentinfo form main navigation region search');
export const CONTAINERS = setOf('feed grid list listbox menu menubar radiogroup table tablist tree treegrid');
export const ITEMS = setOf('article listitem menuitem menuitemcheckbox menuitemradio option row tab treeitem');
export const MESSAGES = setOf('alert alertdialog dialog log status');
export const CELLS = setOf('cell gridcell columnheader rowheader');
/* Regions have a ref, so that a snapshot or a search can be limited to them. */
export const SCOPES = new Set([...LANDMARKS, ...MESSAGES, ...setOf('article figure grid table tabpanel tree treegrid')]);
/* Groups that say nothing themselves. Their contents take their place: as parts of their own, or as words of the text around them. */
export const BLOCKS = setOf('generic paragraph rowgroup none presentation');
export const PHRASES = setOf('strong emphasis code mark time subscript superscript insertion deletion');
/* Written on one line with all that is in them, if that is short enough. */
export const ONE_LINE = new Set([...ACTABLE, ...ITEMS, ...CELLS, ...setOf('heading list menu menubar navigation toolbar tablist radiogroup group ' +
	'status alert region img figure term definition blockquote caption meter progressbar contentinfo search separator timer text note')]);
/* Words with which a line of an answer can begin: a text that begins with one is inQuotes. */
export const ROLE_WORDS = new Set([...ACTABLE, ...SCOPES, ...CONTAINERS, ...ITEMS, ...MESSAGES, ...CELLS, ...BLOCKS, ...ONE_LINE,
	...setOf('audio embed object video h1 h2 h3 h4 h5 h6 document application canvas clickable in Error Nothing dialog console tabs download page')]);
