// Converts a page from JSON to XML in one pass over the bytes, without parsing records: one element per member, arrays
// as elements marked `is_array` with `item`s. Escapes text like `escapeXml`, but in its JSON encoding.
import { freeBuffer, type JoinedRecords, minPooledBytes, PooledBuffer, type ResponseBody } from "../buffer-pool.ts";
import { escapeXml } from "./xml-escape.ts";

/** Element names that aren't members; they precede the JSON, so that every name is a range of the input. */
const prefix = "resultitem";
const [resultFrom, resultTo, itemFrom, itemTo] = [0, 6, 6, 10];

/** A byte that UTF-8 never contains; it follows the JSON, so that no loop runs past the end. */
const sentinel = 0xff;
const [quote, comma, slash, lessThan, greaterThan, backslash] = [0x22, 0x2c, 0x2f, 0x3c, 0x3e, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const isArray = bytes(' is_array="true"');

/** References for markup characters, by code. */
const entities: (Uint8Array | undefined)[] = Array.from({ length: 256 });
for (const character of "&<>\"'\r") entities[character.charCodeAt(0)] = bytes(escapeXml(character));

/** Bytes copied as is: not markup, not the start of an escape or of a character that XML may forbid. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isSpecial = entities[byte] !== undefined || byte === backslash || byte === 0xef || byte === sentinel;
  return byte >= 0x20 && !isSpecial ? 1 : 0;
});

/** Bytes of text to write between two checks of the output's capacity, and the most bytes that one of them becomes. */
const textRun = 1020;
const maxExpansion = 6;
/** No number is longer. */
const maxLiteral = 32;

/** Buffers up to this size are reused for the next page; larger ones are dropped. */
const maxReusedBytes = 4 * 1024 * 1024;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

// Module state is safe since the conversion is synchronous.
let input: Buffer = Buffer.alloc(256 * 1024);
let inputWords = viewOf(input);
let output: Buffer = Buffer.alloc(512 * 1024);
let outputWords = viewOf(output);
/** Positions in input and output. */
let at = 0;
let out = 0;

/** `<result is_array="true"><item>…</item></result>` from JSON records joined by commas. */
export function xmlPage(records: JoinedRecords): ResponseBody {
  // Reads of four bytes at once may pass the end.
  const capacity = prefix.length + (typeof records === "string" ? 3 : 1) * records.length + 8;
  if (input.length < capacity) setInput(Buffer.allocUnsafe(capacity));
  const begin = input.write(`${prefix}[`, "latin1");
  const end = begin + copyInput(records, begin);
  input[end] = closeList;
  input[end + 1] = sentinel;
  at = begin - 1;
  out = 0;
  writeList();
  const page = out < minPooledBytes ? output.toString("utf8", 0, out) : new PooledBuffer(out);
  if (typeof page !== "string") output.copy(page.bytes, 0, 0, out);
  if (input.length > maxReusedBytes) setInput(Buffer.alloc(maxReusedBytes));
  if (output.length > maxReusedBytes) setOutput(Buffer.alloc(maxReusedBytes));
  return page;
}

/** Returns the length of the records in bytes. */
function copyInput(records: JoinedRecords, begin: number): number {
  if (typeof records === "string") return input.write(records, begin);
  const { length } = records;
  input.set(records, begin);
  freeBuffer(records);
  return length;
}

function setInput(buffer: Buffer): void {
  input = buffer;
  inputWords = viewOf(buffer);
}

function setOutput(buffer: Buffer): void {
  output = buffer;
  outputWords = viewOf(buffer);
}

function reserve(more: number): void {
  if (out + more <= output.length) return;
  const larger = Buffer.allocUnsafe(2 * (out + more));
  output.copy(larger, 0, 0, out);
  setOutput(larger);
}

function writeList(): void {
  /** For each open element: start and end of its name, and its closing bracket or brace. */
  const open: number[] = [];
  let ending = sentinel;
  let nameFrom = resultFrom;
  let nameTo = resultTo;
  for (;;) {
    // At the start of a value.
    let byte = input[at] as number;
    openTag(nameFrom, nameTo, byte === openList);
    if (byte === openList || byte === openObject) {
      open.push(nameFrom, nameTo, ending);
      ending = byte === openList ? closeList : closeObject;
      at++;
    } else {
      if (byte === quote) writeText();
      else writeLiteral();
      closeTag(nameFrom, nameTo);
    }
    // Close elements that end here, then go to the next.
    for (byte = input[at] as number; byte === ending; byte = input[++at] as number) {
      ending = open.pop() as number;
      nameTo = open.pop() as number;
      nameFrom = open.pop() as number;
      closeTag(nameFrom, nameTo);
      if (open.length === 0) return;
    }
    if (byte === comma) at++;
    if (ending === closeList) {
      nameFrom = itemFrom;
      nameTo = itemTo;
    } else {
      nameFrom = at + 1;
      nameTo = endOfName();
      at = nameTo + 2;
    }
  }
}

function endOfName(): number {
  const from = input;
  let end = at;
  if (from[at] === quote)
    do end++;
    while (from[end] !== quote && from[end] !== sentinel);
  if (from[end] !== quote || end === at) throw new Error("unterminated name in the JSON of a page");
  return end;
}

function openTag(nameFrom: number, nameTo: number, isList: boolean): void {
  reserve(nameTo - nameFrom + isArray.length + 2);
  const from = input;
  const to = output;
  let position = out;
  to[position++] = lessThan;
  for (let each = nameFrom; each < nameTo; each++) to[position++] = from[each] as number;
  if (isList) for (let each = 0; each < isArray.length; each++) to[position++] = isArray[each] as number;
  to[position++] = greaterThan;
  out = position;
}

function closeTag(nameFrom: number, nameTo: number): void {
  reserve(nameTo - nameFrom + 3);
  const from = input;
  const to = output;
  let position = out;
  to[position++] = lessThan;
  to[position++] = slash;
  for (let each = nameFrom; each < nameTo; each++) to[position++] = from[each] as number;
  to[position++] = greaterThan;
  out = position;
}

function copy(from: Uint8Array, begin: number, end: number): void {
  const to = output;
  let position = out;
  for (let each = begin; each < end; each++) to[position++] = from[each] as number;
  out = position;
}

/** Numbers and booleans as is; null as nothing. */
function writeLiteral(): void {
  let end = at;
  for (let byte = input[end]; byte !== comma && byte !== closeObject && byte !== closeList; byte = input[++end])
    if (byte === sentinel || end - at > maxLiteral) throw new Error("unexpected end of the JSON of a page");
  reserve(maxLiteral);
  // Only null starts with an n.
  if (input[at] !== 0x6e) copy(input, at, end);
  at = end;
}

function writeText(): void {
  const from = input;
  const words = inputWords;
  let here = at + 1;
  for (;;) {
    reserve(textRun * maxExpansion);
    const to = output;
    const toWords = outputWords;
    const stop = here + textRun;
    let position = out;
    let byte = 0;
    while (here < stop) {
      const begin = here;
      while (here < stop && arePlain(words.getInt32(here, true))) here += 4;
      for (let each = begin; each < here; each += 4) {
        toWords.setInt32(position, words.getInt32(each, true), true);
        position += 4;
      }
      if (here >= stop) break;
      byte = from[here] as number;
      if (plain[byte] === 1) to[position++] = byte;
      else {
        const entity = entities[byte];
        if (byte === quote || entity === undefined) break;
        for (let each = 0; each < entity.length; each++) to[position++] = entity[each] as number;
      }
      here++;
    }
    out = position;
    if (here >= stop) continue;
    if (byte === quote) break;
    here = writeSpecial(here, byte);
  }
  at = here + 1;
}

/** False if any of four bytes may be special; may also be false if none is. */
function arePlain(four: number): boolean {
  const x = (four & 0xfafafafa) ^ 0x22222222;
  const y = (four & 0x9d9d9d9d) ^ 0x1c1c1c1c;
  return ((((x - 0x01010101) & ~x) | ((y - 0x01010101) & ~y) | four) & 0x80808080) === 0;
}

/** Writes the character that starts with a special byte; returns the position after it. */
function writeSpecial(here: number, byte: number): number {
  if (byte === 0xef) {
    // U+FFFE and U+FFFF.
    const isForbidden = input[here + 1] === 0xbf && (input[here + 2] as number) >= 0xbe;
    if (!isForbidden) copy(input, here, here + 3);
    return here + 3;
  }
  if (byte !== backslash) throw new Error("unterminated string in the JSON of a page");
  const letter = input[here + 1] as number;
  const end = letter === 0x75 ? endOfUnicodeEscape(here) : here + 2;
  if (end === here + 2 && letter === 0x6e) output[out++] = 0x0a;
  else if (end === here + 2 && letter === quote) copy(entities[quote] as Uint8Array, 0, 6);
  else out += output.write(escapeXml(JSON.parse(`"${input.toString("latin1", here, end)}"`) as string), out);
  return end;
}

/** Includes the second half of a surrogate pair. */
function endOfUnicodeEscape(here: number): number {
  const next = here + 6;
  const isHigh = /^\\ud[89ab]/i.test(input.toString("latin1", here, next));
  return isHigh && /^\\ud[c-f]/i.test(input.toString("latin1", next, next + 6)) ? next + 6 : next;
}
