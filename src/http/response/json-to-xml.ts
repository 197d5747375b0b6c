// The JSON of a page → its XML, in one pass over the bytes: one element a member, lists as elements marked `is_array` that
// hold `item`s. No record is built for it; what `escapeXml` does to a text is done here to the text's JSON.
import { freeMemory, type JoinedRecords, PooledBuffer, type ResponseBody, smallestPooled } from "./buffer-pool.ts";
import { escapeXml } from "./xml-escape.ts";

/** Names of elements that no member gives; they stand before the JSON, so that every name is a stretch of the input. */
const prefix = "resultitem";
const [resultFrom, resultTo, itemFrom, itemTo] = [0, 6, 6, 10];

/** A byte that no text holds in UTF-8; it stands behind the JSON, so that nothing runs on beyond its end. */
const never = 0xff;
const [quote, comma, slash, lessThan, greaterThan, backslash] = [0x22, 0x2c, 0x2f, 0x3c, 0x3e, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const isArray = bytes(' is_array="true"');

/** What is written for a character of markup, by its code. */
const entities: (Uint8Array | undefined)[] = Array.from({ length: 256 });
for (const character of "&<>\"'\r") entities[character.charCodeAt(0)] = bytes(escapeXml(character));

/** Bytes that stand for themselves; not those that begin an escape, or a character that XML may forbid. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isMarked = entities[byte] !== undefined || byte === backslash || byte === 0xef || byte === never;
  return byte >= 0x20 && !isMarked ? 1 : 0;
});

/** Bytes of a text that are written before room is made for more, and the most that one of them becomes. */
const stretch = 1020;
const longest = 6;
/** No number is longer. */
const longestLiteral = 32;

/** Memory that is used again for the next page; what a larger page needs is given back. */
const kept = 4 * 1024 * 1024;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

// One page at a time: nothing here waits.
let input: Buffer = Buffer.alloc(256 * 1024);
let inputWords = viewOf(input);
let output: Buffer = Buffer.alloc(512 * 1024);
let outputWords = viewOf(output);
/** Where the input is read, and where the output is written. */
let at = 0;
let out = 0;

/** `<result is_array="true"><item>…</item></result>`, of records in JSON joined by commas. */
export function xmlPage(records: JoinedRecords): ResponseBody {
  // Four bytes at once are read beyond the end.
  const most = prefix.length + (typeof records === "string" ? 3 : 1) * records.length + 8;
  if (input.length < most) setInput(Buffer.allocUnsafe(most));
  const begin = input.write(`${prefix}[`, "latin1");
  const end = begin + put(records, begin);
  input[end] = closeList;
  input[end + 1] = never;
  at = begin - 1;
  out = 0;
  writeList();
  const page = out < smallestPooled ? output.toString("utf8", 0, out) : new PooledBuffer(out);
  if (typeof page !== "string") output.copy(page.bytes, 0, 0, out);
  if (input.length > kept) setInput(Buffer.alloc(kept));
  if (output.length > kept) setOutput(Buffer.alloc(kept));
  return page;
}

/** Gives how many bytes the records are. */
function put(records: JoinedRecords, begin: number): number {
  if (typeof records === "string") return input.write(records, begin);
  const { length } = records;
  input.set(records, begin);
  freeMemory(records);
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

function makeRoom(more: number): void {
  if (out + more <= output.length) return;
  const larger = Buffer.allocUnsafe(2 * (out + more));
  output.copy(larger, 0, 0, out);
  setOutput(larger);
}

function writeList(): void {
  /** Of open elements, where their names begin and end, and the bracket or brace that they end with. */
  const open: number[] = [];
  let ending = never;
  let nameFrom = resultFrom;
  let nameTo = resultTo;
  for (;;) {
    // A value begins here, and with it the element of the name.
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
    // What ends here is closed; then the next element begins.
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
    while (from[end] !== quote && from[end] !== never);
  if (from[end] !== quote || end === at) throw new Error("the JSON of a page holds a name that does not end");
  return end;
}

function openTag(nameFrom: number, nameTo: number, isList: boolean): void {
  makeRoom(nameTo - nameFrom + isArray.length + 2);
  const from = input;
  const to = output;
  let place = out;
  to[place++] = lessThan;
  for (let each = nameFrom; each < nameTo; each++) to[place++] = from[each] as number;
  if (isList) for (let each = 0; each < isArray.length; each++) to[place++] = isArray[each] as number;
  to[place++] = greaterThan;
  out = place;
}

function closeTag(nameFrom: number, nameTo: number): void {
  makeRoom(nameTo - nameFrom + 3);
  const from = input;
  const to = output;
  let place = out;
  to[place++] = lessThan;
  to[place++] = slash;
  for (let each = nameFrom; each < nameTo; each++) to[place++] = from[each] as number;
  to[place++] = greaterThan;
  out = place;
}

function copy(from: Uint8Array, begin: number, end: number): void {
  const to = output;
  let place = out;
  for (let each = begin; each < end; each++) to[place++] = from[each] as number;
  out = place;
}

/** A number, true or false as it is; null as nothing. */
function writeLiteral(): void {
  let end = at;
  for (let byte = input[end]; byte !== comma && byte !== closeObject && byte !== closeList; byte = input[++end])
    if (byte === never || end - at > longestLiteral) throw new Error("the JSON of a page ends too soon");
  makeRoom(longestLiteral);
  // Of these null alone begins with an n.
  if (input[at] !== 0x6e) copy(input, at, end);
  at = end;
}

function writeText(): void {
  const from = input;
  const words = inputWords;
  let here = at + 1;
  for (;;) {
    makeRoom(stretch * longest);
    const to = output;
    const toWords = outputWords;
    const stop = here + stretch;
    let place = out;
    let byte = 0;
    while (here < stop) {
      const begin = here;
      while (here < stop && isUnmarked(words.getInt32(here, true))) here += 4;
      for (let each = begin; each < here; each += 4) {
        toWords.setInt32(place, words.getInt32(each, true), true);
        place += 4;
      }
      if (here >= stop) break;
      byte = from[here] as number;
      if (plain[byte] === 1) to[place++] = byte;
      else {
        const entity = entities[byte];
        if (byte === quote || entity === undefined) break;
        for (let each = 0; each < entity.length; each++) to[place++] = entity[each] as number;
      }
      here++;
    }
    out = place;
    if (here >= stop) continue;
    if (byte === quote) break;
    here = writeMarked(here, byte);
  }
  at = here + 1;
}

/** Whether none of four bytes can be marked; of some that are not, it is not known. */
function isUnmarked(four: number): boolean {
  const x = (four & 0xfafafafa) ^ 0x22222222;
  const y = (four & 0x9d9d9d9d) ^ 0x1c1c1c1c;
  return ((((x - 0x01010101) & ~x) | ((y - 0x01010101) & ~y) | four) & 0x80808080) === 0;
}

/** Writes the character that begins at a position with a marked byte; gives where the text goes on. */
function writeMarked(here: number, byte: number): number {
  if (byte === 0xef) {
    // U+FFFE and U+FFFF.
    const isForbidden = input[here + 1] === 0xbf && (input[here + 2] as number) >= 0xbe;
    if (!isForbidden) copy(input, here, here + 3);
    return here + 3;
  }
  if (byte !== backslash) throw new Error("the JSON of a page holds a text that does not end");
  const letter = input[here + 1] as number;
  const end = letter === 0x75 ? endOfUnits(here) : here + 2;
  if (end === here + 2 && letter === 0x6e) output[out++] = 0x0a;
  else if (end === here + 2 && letter === quote) copy(entities[quote] as Uint8Array, 0, 6);
  else out += output.write(escapeXml(JSON.parse(`"${input.toString("latin1", here, end)}"`) as string), out);
  return end;
}

/** Where an escape by its code ends; that of the other half of a pair belongs to it. */
function endOfUnits(here: number): number {
  const next = here + 6;
  const isHigh = /^\\ud[89ab]/i.test(input.toString("latin1", here, next));
  return isHigh && /^\\ud[c-f]/i.test(input.toString("latin1", next, next + 6)) ? next + 6 : next;
}
