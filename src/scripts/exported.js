/* The functions that the server calls: exported.name = argument => value. */
export const exported = Object.create(null);
