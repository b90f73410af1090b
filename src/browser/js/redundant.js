/*
 * Names that the snapshot need not print, because their parts are printed below as nodes of their own: a link around a
 * heading, a cell with a button in it, a navigation that its heading labels.
 *
 * A name is left out when at least one part of it comes from a node inside that can be aimed at, and no part comes
 * from a group of mere text, which would not be found by a name.
 */
function hasRedundantName(node, levels) {
	if (levels !== Infinity)
		return isNameCovered(node, levels);
	return node.knownRedundant ??= isNameCovered(node, levels);
}

function isNameCovered(node, levels) {
	if (levels <= 0 || node.children.every(isText) || !mayBeNamedInside(node))
		return false;
	const sources = nameSources(node);
	if (!sources.length)
		return false;
	const lending = sources[0] === node.element && (node.bare || !hasAttribute(node.element, 'aria-labelledby'));
	const verdict = { covered: false, bare: false, lending };
	judgeParts(node.children, sources, verdict, levels);
	return verdict.covered && !verdict.bare;
}

const mayBeNamedInside = ({ tag, role, bare }) => NAMED_BY_CONTENT.has(role) || !bare ||
	CAPTION_TAGS[tag] !== undefined || tag === 'summary';

/* The elements inside `node` whose contents make its name: itself, a caption, or what aria-labelledby names. */
function nameSources(node) {
	const { element, tag, role, bare } = node;
	if (node.isFrame || UNNAMED_ROLES.has(role) && role !== 'generic' || node.ariaHidden)
		return [];
	const referenced = bare ? [] : elementsByIds(element, 'aria-labelledby');
	if (referenced.length)
		return referenced.filter(other => isInside(element, other));
	if (!bare && ariaLabel(element))
		return [];
	const caption = CAPTION_TAGS[tag];
	if (caption)
		return childrenOf(element).filter(child => isElement(child) && tagOf(child) === caption).slice(0, 1);
	if (LABELLED_TAGS.has(tag) && labelsOf(element).length || spaceOf(element) === SVG_SPACE)
		return [];
	return NAMED_BY_CONTENT.has(role) || tag === 'summary' ? [element] : [];
}

const CAPTION_TAGS = { __proto__: null, fieldset: 'legend', figure: 'figcaption', table: 'caption' };

function judgeParts(children, sources, verdict, levels) {
	for (const child of children) {
		if (!isText(child) && !child.isFrame)
			judgePart(child, sources, verdict, levels);
	}
}

function judgePart(node, sources, verdict, levels) {
	const { element, role } = node;
	if (node.ariaHidden && !sources.some(isUnderAriaHidden))
		return;
	if (!verdict.lending && !sources.some(source => isInside(source, element))) {
		if (sources.some(source => isInside(element, source)))
			judgeParts(node.children, sources, verdict, levels - 1);
		return;
	}
	if (!contributes(node, verdict.lending))
		return;
	if (role === 'generic')
		judgeGroup(node, sources, verdict, levels);
	else if (role === 'combobox' || role === 'listbox')
		judgeParts(node.children, sources, verdict, levels - 1);
	else
		judgeNode(node, sources, verdict, levels);
}

function judgeGroup(node, sources, verdict, levels) {
	const isBare = !node.hadNodes;
	if (node.isTarget)
		verdict[isBare ? 'bare' : 'covered'] = true;
	if (!isBare && levels > 1)
		judgeParts(node.children, sources, verdict, levels - 1);
}

function judgeNode(node, sources, verdict, levels) {
	if (node.isTarget && !isTitledDrawing(node.element))
		verdict.covered = true;
	if (levels > 1 && !(node.isTarget && (hasRedundantName(node, levels - 1) || node.name)))
		judgeParts(node.children, sources, verdict, levels - 1);
}

/* Its name is the text of a <title> inside, which has no node. */
function isTitledDrawing(element) {
	return spaceOf(element) === SVG_SPACE && !ariaLabel(element) &&
		childrenOf(element).some(child => isElement(child) && tagOf(child) === 'title');
}

/* Does an ancestor's name take anything from it (accname 2F)? `lending`: for its contents' sake, not by reference. */
function contributes(node, lending) {
	const { element, ownRole } = node;
	if (lending && !LENDING_CONTENT.has(ownRole) && !NAMED_BY_CONTENT.has(ownRole))
		return alternative(element, { nested: true, content: true }, new Set()).trim() !== '';
	const value = controlText(element, ownRole, { nested: true });
	if (value !== undefined)
		return value.trim() !== '';
	return node.children.some(child => isText(child) || contributes(child, lending)) || node.name !== '';
}
