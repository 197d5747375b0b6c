// Redacts keys, and secrets of webhooks, in texts that others may read.

/** A key or the beginning of one, each character plain or percent-encoded. */
const keyLike = /(?:b|%[46]2)(?:w|%[57]7)(?:_|%5f)(?:[0-9a-z_]|%[3-7][0-9a-f]){8,}/gi;

/** The secret of a webhook, or the beginning of one. */
const secretLike = /whsec_[0-9a-z+/=]{8,}/gi;

/** Replaces everything that looks like a key or a secret, complete, truncated, or several in a row. */
export const redactKeys = (text: string): string => text.replace(keyLike, "bw_…").replace(secretLike, "whsec_…");
