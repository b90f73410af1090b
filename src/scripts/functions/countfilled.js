/* The number of fields of the document that are filled. */
import { filledFields } from '../filled.js';

export default () => filledFields().length;
