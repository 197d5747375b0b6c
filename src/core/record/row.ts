// What a record is in memory: one stored value for each field of its resource, hidden ones included.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Every field of the resource, in stored form; unknown ones hold the field's `empty`. */
export type Row = { readonly [field: string]: Json };

/** A record as it is answered: wire names and wire values, fields that are left out missing. */
export type Served = { readonly [field: string]: Json };

/** The form in which a value is compared and ordered; null compares with nothing. */
export type Compared = string | number | null;

/** Code point order, as both databases compare text; JavaScript's own `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // A surrogate stands for a code point above every other unit.
    const xSurrogate = x >= 0xd800 && x <= 0xdfff;
    const ySurrogate = y >= 0xd800 && y <= 0xdfff;
    if (xSurrogate !== ySurrogate) return xSurrogate ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
