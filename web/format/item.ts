// A record as received from the API, and its values as text.

export type Item = Readonly<Record<string, unknown>>;

/** Empty for missing values. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
