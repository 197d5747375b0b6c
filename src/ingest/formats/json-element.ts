// Finds the end of one JSON array element by its strings and brackets alone; the hot loop of reading JSON files.

/** Bytes with a meaning in JSON. */
export const newline = 0x0a;
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
export const backslash = 0x5c;
export const closeList = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;

export class ElementScan {
  /** Line breaks inside the element so far. */
  breaks = 0;
  /** A line ended inside a string: a quote is missing, so it is unknown which of the next ones open or close. */
  lost = false;
  readonly #first: number;
  #inString = false;
  #escaped = false;
  #objects = 0;
  #lists = 0;

  constructor(firstByte: number) {
    this.#first = firstByte;
  }

  /** Whether the element is complete. Numbers and literals never are: only what follows shows where they end. */
  get whole(): boolean {
    const delimited = this.#first === openObject || this.#first === openList || this.#first === quote;
    return delimited && !this.#inString && this.#objects === 0 && this.#lists === 0;
  }

  /**
   * Scans from `start`. Returns the offset of the comma or bracket after the element, or of the line break at which it was
   * `lost`; the length of the chunk when the element continues in the next one.
   */
  scan(chunk: Uint8Array, start: number): number {
    const { length } = chunk;
    let inString = this.#inString;
    let objects = this.#objects;
    let lists = this.#lists;
    let at = start;
    // An escaped line break still counts as a line break.
    if (this.#escaped && chunk[at] !== newline) at++;
    this.#escaped = false;

    scanning: for (; at < length; at++) {
      if (inString) {
        at = skipPlain(chunk, at);
        if (at === length) break;
        const byte = chunk[at];
        if (byte === quote) inString = false;
        else if (byte === newline) {
          this.lost = true;
          break;
        } else if (at + 1 === length) this.#escaped = true;
        else if (chunk[at + 1] !== newline) at++;
        continue;
      }
      const byte = chunk[at];
      switch (byte) {
        case quote:
          inString = true;
          break;
        case newline:
          this.breaks++;
          break;
        case openObject:
          objects++;
          break;
        case openList:
          lists++;
          break;
        case closeObject:
          if (objects > 0) objects--;
          // The element's own bracket has closed: an unclosed one inside it must not affect what follows.
          if (objects === 0 && this.#first === openObject) lists = 0;
          break;
        case closeList:
          if (objects === 0 && lists === 0) break scanning;
          if (lists > 0) lists--;
          if (lists === 0 && this.#first === openList) objects = 0;
          break;
        case comma:
          if (objects === 0 && lists === 0) break scanning;
      }
    }

    this.#inString = inString;
    this.#objects = objects;
    this.#lists = lists;
    return at;
  }
}

/** The offset of the next quote, backslash, or line break: nothing else matters inside a string. */
function skipPlain(chunk: Uint8Array, start: number): number {
  const { length } = chunk;
  let at = start;
  for (; at < length; at++) {
    const byte = chunk[at]!;
    if (byte === quote || byte === backslash || byte === newline) break;
  }
  return at;
}
