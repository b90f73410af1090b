/* What read.js leaves out: text that nobody sees, or that is drawn as something else. */
import { isAriaHidden, styleOf } from './contents.js';
import { attributeOf, hasAttributes, hostOrParent, queryIn, rectOf } from './raw.js';

const DRAWN_AS_ICON = /icon|symbol|awesome|glyph/i;
const OUT_OF_PAGE = -500; /* px to the left or above, where nobody can scroll to */

/* Text for screen readers, in a box of no size, clipped to nothing or far outside. Formulas are there as MathML only. */
function isOutOfSight(element, style) {
	if (style.position !== 'absolute' && style.position !== 'fixed')
		return false;
	const { width, height, right, bottom } = rectOf(element);
	const isEmpty = width <= 1 && height <= 1 && style.overflow !== 'visible' || isClippedAway(style);
	const isOutside = right <= 0 && parseFloat(style.left) < OUT_OF_PAGE || bottom + scrollY <= 0 && parseFloat(style.top) < OUT_OF_PAGE;
	return (isEmpty || isOutside) && queryIn(element, 'math', 1).length === 0;
}

function isClippedAway({ clip, clipPath }) {
	const [top, right, bottom, left] = clip === 'auto' ? [] : clip.match(/-?[\d.]+/g)?.map(Number) ?? [];
	return right - left <= 1 && bottom - top <= 1 || /^inset\((?:50|100)%/.test(clipPath);
}

/* Words that the font of an icon draws as a picture. */
const isIcon = (element, tag, style) => (tag === 'i' || tag === 'span') && DRAWN_AS_ICON.test(style.fontFamily) &&
	(tag === 'i' || DRAWN_AS_ICON.test(attributeOf(element, 'class') ?? ''));

/* Line numbers and prompts, which nobody copies with the code. */
const isBesideCode = (tag, style) => style.userSelect === 'none' && style.whiteSpace.startsWith('pre') && tag !== 'input' && tag !== 'button';

/* A formula that is drawn beside its MathML. */
const isDrawnFormula = element => isAriaHidden(element) && queryIn(hostOrParent(element) ?? element, 'math', 1).length > 0;

export const reader = {
	leavesOut(element, tag) {
		if (!hasAttributes(element))
			return false;
		const style = styleOf(element);
		return isOutOfSight(element, style) || isDrawnFormula(element) || isIcon(element, tag, style) || isBesideCode(tag, style);
	},
};
