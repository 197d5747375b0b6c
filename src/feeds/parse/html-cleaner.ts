// HTML of strangers → HTML that may be kept: known elements, absolute addresses, nothing that runs. Texts → short texts.
import { Tokenizer } from "htmlparser2";
import { hiddenElements, plainText } from "../../core/text/html-text.ts";

const kept: ReadonlySet<string> = new Set(
  (
    "a abbr address article aside b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption " +
    "figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s samp section small span strong sub " +
    "summary sup table tbody td tfoot th thead time tr u ul var"
  ).split(" "),
);
const childless: ReadonlySet<string> = new Set(["br", "col", "hr", "img"]);

const attributes: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title"],
  abbr: ["title"],
  img: ["src", "alt", "title", "width", "height"],
  ol: ["start"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
  time: ["datetime"],
};
/** Attributes that hold an address, with the schemes that it may have. */
const addresses: Readonly<Record<string, RegExp>> = { href: /^(https?|mailto):/, src: /^https?:/ };

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

/** An absolute address of one of the schemes; undefined for anything else. */
export function absolute(address: string | undefined, base: string, schemes = /^https?:/): string | undefined {
  const given = address?.trim() ?? "";
  if (given === "" || !URL.canParse(given, base)) return undefined;
  const { href } = new URL(given, base);
  return schemes.test(href) ? href : undefined;
}

/** The tokenizer alone, since the stack of the parser above it makes deep nesting quadratic. */
export function cleanHtml(source: string, base: string): string {
  const html = source.replace(/\r\n?/g, "\n");
  const open = new Map<string, number>();
  let out = "";
  let hidden = false;
  let element = "";
  let values = new Map<string, string>();
  let name = "";

  function begin(): void {
    if (hiddenElements.has(element)) hidden = true;
    else if (kept.has(element) && !(element === "img" && !values.has("src"))) {
      out += `<${element}${[...values].map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join("")}>`;
      if (!childless.has(element)) open.set(element, (open.get(element) ?? 0) + 1);
    }
  }

  function end(closed: string): void {
    // What is hidden ends with its own end tag: the tokenizer reports no other inside it.
    hidden = false;
    const count = open.get(closed) ?? 0;
    if (count === 0) return;
    out += `</${closed}>`;
    open.set(closed, count - 1);
  }

  function addAttribute(): void {
    const value = values.get(name);
    if (value === undefined) return;
    const scheme = addresses[name];
    const good = scheme === undefined ? value : absolute(value, base, scheme);
    if (good === undefined) values.delete(name);
    else values.set(name, good);
  }

  const add = (text: string): void => {
    if (!hidden) out += escapeHtml(text);
  };
  const addValue = (text: string): void => {
    const value = values.get(name);
    if (value !== undefined) values.set(name, value + text);
  };
  const nothing = (): void => {};
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, before) => add(html.slice(start, before)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname: (start, before) => {
        element = html.slice(start, before).toLowerCase();
        values = new Map();
      },
      onattribname: (start, before) => {
        name = html.slice(start, before).toLowerCase();
        // Of an attribute that is given twice the first counts, as in a browser.
        if (values.has(name) || !(Object.hasOwn(attributes, element) && attributes[element]?.includes(name))) name = "";
        else values.set(name, "");
      },
      onattribdata: (start, before) => addValue(html.slice(start, before)),
      onattribentity: (codePoint) => addValue(String.fromCodePoint(codePoint)),
      onattribend: addAttribute,
      onopentagend: begin,
      onselfclosingtag: begin,
      onclosetag: (start, before) => end(html.slice(start, before).toLowerCase()),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  const left = [...open].reverse().map(([unclosed, count]) => `</${unclosed}>`.repeat(count));
  return (out + left.join("")).trim();
}

/** HTML as one line of text. */
export const oneLine = (html: string): string => plainText(html).replace(/\s+/g, " ");

/** The beginning of a text, cut between words where there is room for it. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const space = room.lastIndexOf(" ");
  // No half of a character is left at the end.
  return `${(space > most / 2 ? room.slice(0, space) : room).replace(/[\ud800-\udbff]$/, "")}…`;
}
