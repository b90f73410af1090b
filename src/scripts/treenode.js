/* What the nodes of a tree (tree.js) hold: nodes and texts. */
export const isText = child => typeof child === 'string';
