// Finds where one element of a JSON array ends, by its strings and brackets alone; the hot loop of reading JSON files.

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

export class ElementScan {
  /** Line breaks inside the element so far. */
  breaks = 0;
  /** A line ended inside a string. That is never JSON: a quote is missing, and which of the next ones open or close is unknown. */
  lost = false;
  readonly #first: number;
  #inString = false;
  #escaped = false;
  #objects = 0;
  #lists = 0;

  constructor(firstByte: number) {
    this.#first = firstByte;
  }

  /** Nothing can be missing at the end. Where a number or a word ends is known only by what follows it: those never are whole. */
  get whole(): boolean {
    const delimited = this.#first === openObject || this.#first === openList || this.#first === quote;
    return delimited && !this.#inString && this.#objects === 0 && this.#lists === 0;
  }

  /**
   * Reads on from `start`. Gives the offset of the comma or bracket after the element, or of the line break at which it was
   * `lost`; the length of the piece when the element goes on after it.
   */
  scan(piece: Uint8Array, start: number): number {
    const { length } = piece;
    let inString = this.#inString;
    let objects = this.#objects;
    let lists = this.#lists;
    let at = start;
    // An escaped line break is still a line break: it is left to be found.
    if (this.#escaped && piece[at] !== newline) at++;
    this.#escaped = false;

    scanning: for (; at < length; at++) {
      if (inString) {
        at = passPlain(piece, at);
        if (at === length) break;
        const byte = piece[at];
        if (byte === quote) inString = false;
        else if (byte === newline) {
          this.lost = true;
          break;
        } else if (at + 1 === length) this.#escaped = true;
        else if (piece[at + 1] !== newline) at++;
        continue;
      }
      const byte = piece[at];
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
          // The bracket that began the element has closed: one still open inside it is a mistake that must not reach further.
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

/** The offset of the next quote, backslash or line break: what alone matters inside a string. */
function passPlain(piece: Uint8Array, start: number): number {
  const { length } = piece;
  let at = start;
  for (; at < length; at++) {
    const byte = piece[at]!;
    if (byte === quote || byte === backslash || byte === newline) break;
  }
  return at;
}
