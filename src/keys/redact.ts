// Blanks keys in texts that others may read.

/** The form of a key or of the beginning of one, each of its characters plain or as an address may encode it. */
const keyLike = /(?:b|%[46]2)(?:w|%[57]7)(?:_|%5f)(?:[0-9a-z_]|%[3-7][0-9a-f]){8,}/gi;

/** Anything that looks like a key, whole, cut or several in a row, wherever it stands in a text. */
export const hideKeys = (text: string): string => text.replace(keyLike, "bw_…");
