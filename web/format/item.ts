// A record as the API sends it, and its values as texts.

export type Item = Readonly<Record<string, unknown>>;

/** An empty text for what is not there. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
