// A strict parser for the XML of lists: elements and text, without what such documents don't need.

export type Element = { readonly name: string; readonly text: string; readonly children: readonly Element[] };

type XmlResult = { readonly root: Element } | { readonly error: string; readonly at: number };

/** Characters that XML 1.0 forbids; servers remove them. */
export const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

class XmlError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Open = { readonly name: string; text: string; readonly children: Element[] };

/** Comments, processing instructions other than the declaration, and document types aren't accepted. */
export function parseXml(text: string): XmlResult {
  try {
    return { root: parse(text) };
  } catch (error) {
    if (error instanceof XmlError) return { error: error.message, at: error.at };
    throw error;
  }
}

function parse(text: string): Element {
  const open: Open[] = [{ name: "", text: "", children: [] }];
  const top = (): Open => open[open.length - 1] as Open;
  let at = /^\ufeff?(<\?xml [^?]*\?>\s*)?/.exec(text)?.[0].length ?? 0;
  const tag = /<(\/?)([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w.-]*="[^"<]*")*)\s*(\/?)>/y;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const end = next === -1 ? text.length : next;
    top().text += decoded(text.slice(at, end), at);
    if (next === -1) break;
    tag.lastIndex = next;
    const match = tag.exec(text);
    if (match === null) throw new XmlError("a < that begins no element", next);
    const [whole, closing, name = "", , selfClosing] = match;
    at = next + whole.length;
    if (closing === "/") close(open, name, next);
    else if (selfClosing === "/") top().children.push({ name, text: "", children: [] });
    else open.push({ name, text: "", children: [] });
  }
  const [root, ...others] = top().children;
  if (open.length > 1) throw new XmlError(`<${top().name}> isn't closed`, text.length);
  if (root === undefined || others.length > 0 || top().text.trim() !== "")
    throw new XmlError("not exactly one root element", 0);
  return root;
}

function close(open: Open[], name: string, at: number): void {
  const last = open.pop();
  const parent = open.at(-1);
  if (last === undefined || parent === undefined || last.name !== name)
    throw new XmlError(`</${name}> closes nothing`, at);
  parent.children.push(last);
}

function decoded(text: string, at: number): string {
  if (text.search(forbidden) !== -1) throw new XmlError("a character that XML forbids", at);
  return text.replace(/&(?:(\w+);|#(\d+);|#x([\da-f]+);)?/gi, (whole, name, decimal, hex, offset: number) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const value = name === undefined ? characterOf(code) : entities.get(name);
    if (value === undefined) throw new XmlError(`${whole} is not an entity`, at + offset);
    return value;
  });
}

/** Undefined if there is no such character, or XML forbids it. */
function characterOf(code: number): string | undefined {
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return character.search(forbidden) === -1 ? character : undefined;
}
