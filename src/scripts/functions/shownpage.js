/* For documents that do not have the library: {url, title}, see shown.js. */
import { shownPage } from '../shown.js';

export default limit => shownPage(limit);
