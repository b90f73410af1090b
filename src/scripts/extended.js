/*
 * What snapshots contain depends on two settings, which are set ahead of the scripts: under the name `browserd` they say more
 * than the reference's, which agents need where a page is not made for assistive technology (see clickable.js as well); and the
 * versions of the reference differ.
 */
import { matches } from './raw.js';

export const isExtended = globalThis.browserdExtended === true;
export const follows0084 = globalThis.browserdFollows0084 === true;

/*
 * Characters of a private use area are the glyphs of an icon font. They mean nothing as text, so that they are no part
 * of a name, and a title can be one. Locators that are written for other programs go by the names there.
 */
export const ICONS = /\p{Co}/gu;
const HAS_ICON = /\p{Co}/u;

export const hasIcons = text => isExtended && HAS_ICON.test(text);

const CONTROLS = 'input, textarea, select, [contenteditable], [tabindex]';
const HIDDEN_CONTROL_ROLES = new Set(['checkbox', 'radio', 'switch', 'textbox', 'searchbox', 'combobox', 'spinbutton', 'slider']);

/*
 * A field that a page hides from view because it draws its own in its place, or that an editor takes keys with: it has
 * the role, the name and the state, and can be filled, checked or typed into by its ref.
 */
export const isHiddenControl = ({ element, role }) => isExtended && HIDDEN_CONTROL_ROLES.has(role) && matches(element, CONTROLS);
