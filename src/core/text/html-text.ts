// HTML → text: passages for search, and plain text for `format=text`. Tolerates broken markup as browsers do.
// Uses only the tokenizer of htmlparser2: the parser's stack of open elements makes deep nesting quadratic.

import { createRequire } from "node:module";

/** Loaded with the first body that has markup: most processes and reader threads never see one. */
let htmlparser: typeof import("htmlparser2") | undefined;
const loadHtmlparser = (): typeof import("htmlparser2") => createRequire(import.meta.url)("htmlparser2");

const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p " +
    "plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
  ).split(" "),
);

// Elements whose content is never shown. `noscript` is not among them, since text readers run no scripts.
export const hiddenElements: ReadonlySet<string> = new Set([
  "iframe",
  "noembed",
  "noframes",
  "script",
  "style",
  "title",
]);

/** What ended a run of text: a block element, or a line break inside one. */
type Break = "block" | "line";

function collapse(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}

/** Calls `end` with every run of visible text and with what ended it. */
function scanText(source: string, end: (text: string, by: Break) => void): void {
  const html = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  const runs = simpleRuns(html);
  if (runs === undefined) scanAnyText(html, end);
  else for (const [text, by] of runs) end(text, by);
}

/** The most frequent ones. */
const simpleEntities: Readonly<Record<string, string>> = {
  amp: "&",
  gt: ">",
  hellip: "…",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  nbsp: "\u00a0",
  ndash: "–",
  quot: '"',
  rdquo: "”",
  rsquo: "’",
  "#39": "'",
};

/** A run of text, a tag with quoted attributes, or an entity. */
const simplePiece = new RegExp(
  `([^<&]+)|<(/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"]*")* ?/?)>|&(${Object.keys(simpleEntities).join("|")});`,
  "y",
);

/** Elements whose content is not simply text. */
const specialElements: ReadonlySet<string> = new Set([
  ...hiddenElements,
  ..."listing plaintext pre svg math template textarea xmp".split(" "),
]);

/** The runs of regular markup, which most bodies have, in a third of the time; undefined for any other. */
function simpleRuns(html: string): [text: string, by: Break][] | undefined {
  const runs: [string, Break][] = [];
  let text = "";
  simplePiece.lastIndex = 0;
  while (simplePiece.lastIndex < html.length) {
    const [piece, plain, slash, name = "", attributes, entity] = simplePiece.exec(html) ?? [];
    if (piece === undefined || specialElements.has(name) || (slash === "/" && attributes !== "")) return undefined;
    if (plain !== undefined) text += plain;
    else if (entity !== undefined) text += simpleEntities[entity];
    else if (name === "br" || BLOCKS.has(name)) {
      runs.push([text, name === "br" ? "line" : "block"]);
      text = "";
    }
  }
  runs.push([text, "block"]);
  return runs;
}

function scanAnyText(html: string, end: (text: string, by: Break) => void): void {
  let text = "";
  let hidden = false;
  let templates = 0;
  let preformatted = 0;
  let atStartOfPre = false;

  function finish(by: Break): void {
    end(text, by);
    text = "";
  }

  function add(piece: string): void {
    if (hidden || templates > 0) return;
    if (preformatted === 0 || !piece.includes("\n")) {
      text += piece;
    } else {
      const lines = (atStartOfPre && piece.startsWith("\n") ? piece.slice(1) : piece).split("\n");
      for (let i = 0; i < lines.length; i++) {
        if (i > 0) finish("line");
        text += lines[i];
      }
    }
    atStartOfPre = false;
  }

  function open(name: string): void {
    if (hiddenElements.has(name)) hidden = true;
    else if (name === "template") templates++;
    if (templates > 0) return;
    if (name === "br") finish("line");
    else if (BLOCKS.has(name)) finish("block");
    atStartOfPre = name === "pre";
    if (atStartOfPre) preformatted++;
  }

  function close(name: string): void {
    // Inside a hidden element, the tokenizer reports only text until its end tag.
    hidden = false;
    if (name === "template" && templates > 0) templates--;
    if (templates > 0) return;
    if (name === "br") finish("line");
    else if (BLOCKS.has(name)) finish("block");
    if (name === "pre" && preformatted > 0) preformatted--;
  }

  tokenize(html, { add, open, close });
  finish("block");
}

type MarkupHandler = {
  readonly add: (text: string) => void;
  readonly open: (name: string) => void;
  readonly close: (name: string) => void;
};

/** Only text and the names of tags matter. */
function tokenize(html: string, { add, open, close }: MarkupHandler): void {
  const nothing = (): void => {};
  htmlparser ??= loadHtmlparser();
  const tokenizer = new htmlparser.Tokenizer(
    {},
    {
      ontext: (start, before) => add(html.slice(start, before)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname: (start, before) => open(html.slice(start, before).toLowerCase()),
      onclosetag: (start, before) => close(html.slice(start, before).toLowerCase()),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

function isPlain(html: string): boolean {
  return !html.includes("<") && !html.includes("&");
}

/**
 * The passages of a body for phrase search: `textBlocks("<p><b>Ap</b>ple</p><p>Inc</p>")` is `["Apple", "Inc"]`.
 * A block element ends a passage; `<br>` only separates words, so a phrase may span it.
 */
export function textBlocks(html: string): string[] {
  const blocks: string[] = [];
  let passage = "";
  const end = (text: string, by: Break): void => {
    passage += by === "line" ? `${text} ` : text;
    if (by === "line") return;
    const block = collapse(passage);
    if (block !== "") blocks.push(block);
    passage = "";
  };
  if (isPlain(html)) end(html, "block");
  else scanText(html, end);
  return blocks;
}

/** Plain text with a line for each block or `<br>` and at most one blank line between: `"<p>a<br>b</p>"` is `"a\nb"`. */
export function plainText(html: string): string {
  if (isPlain(html)) return collapse(html);
  let out = "";
  let breaks = 0;
  scanText(html, (text, by) => {
    const line = collapse(text);
    if (line !== "") {
      if (out !== "") out += breaks > 1 ? "\n\n" : "\n";
      out += line;
      breaks = 0;
    }
    // Adjacent block edges collapse; each `<br>` counts, as in a browser.
    breaks = by === "line" ? breaks + 1 : Math.max(breaks, 1);
  });
  return out;
}
