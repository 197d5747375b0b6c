// Records in memory and on the wire.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Every field of the resource, including hidden ones, in stored form; unknown values are the field's `empty`. */
export type Row = { readonly [field: string]: Json };

/**
 * A row to make others from by copying it. JavaScript engines turn an object to which a dozen members are added by
 * computed names into a hash table, which takes three times as long to fill and to print.
 */
export const templateOf = (row: Row): Row => JSON.parse(JSON.stringify(row)) as Row;

/** A record as in a response. */
export type WireRecord = { readonly [field: string]: Json };

/** The form in which a value is compared and sorted; null matches nothing. */
export type CompareKey = string | number | null;

/** Code point order, as in both databases; JavaScript's `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates encode code points above all others.
    const xSurrogate = x >= 0xd800 && x <= 0xdfff;
    const ySurrogate = y >= 0xd800 && y <= 0xdfff;
    if (xSurrogate !== ySurrogate) return xSurrogate ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
