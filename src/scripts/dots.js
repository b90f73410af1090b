/* Fields whose text is drawn as dots because a login was filled into them, whatever their type. */
const PROPERTY = '-webkit-text-security';

export const drawAsDots = input => input.style.setProperty(PROPERTY, 'disc', 'important');
export const isDrawnAsDots = element => element instanceof HTMLInputElement && element.style.getPropertyPriority(PROPERTY) === 'important';
