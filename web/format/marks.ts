// Where a search has found something: the words of a text that match, by the reading of text that the server itself uses.
import { tokenize } from "../../src/core/text/tokenize.ts";

/** A topic as its words, all of which must stand one after the other. */
export type Phrase = readonly string[];

/** The topics of a request, separated by commas. */
export const phrasesOf = (topics: string): Phrase[] =>
  topics
    .split(",")
    .map(tokenize)
    .filter((phrase) => phrase.length > 0);

/** A piece of a text; `hit` when a topic was found there. */
export type Piece = { readonly text: string; readonly hit: boolean };

type Found = { readonly from: number; readonly to: number };

/** Letters and digits that stand together, with what is written above or below them. */
const run = /[\p{L}\p{N}\p{M}]+/gu;

/** Every place where one of the phrases stands, in order. */
function find(text: string, phrases: readonly Phrase[]): Found[] {
  const tokens = [...text.matchAll(run)].flatMap(({ 0: token, index }) =>
    tokenize(token).map((word) => ({ word, from: index, to: index + token.length })),
  );
  const found: Found[] = [];
  for (const [at, token] of tokens.entries()) {
    for (const phrase of phrases) {
      if (!phrase.every((word, offset) => tokens[at + offset]?.word === word)) continue;
      found.push({ from: token.from, to: tokens[at + phrase.length - 1]?.to ?? token.to });
    }
  }
  return found;
}

export const isFound = (text: string, phrases: readonly Phrase[]): boolean => find(text, phrases).length > 0;

/** The text in pieces, in order: joined, they are the text. */
export function pieces(text: string, phrases: readonly Phrase[]): Piece[] {
  const made: Piece[] = [];
  let done = 0;
  for (const { from, to } of find(text, phrases)) {
    if (to <= done) continue;
    const begin = Math.max(from, done);
    if (begin > done) made.push({ text: text.slice(done, begin), hit: false });
    made.push({ text: text.slice(begin, to), hit: true });
    done = to;
  }
  if (done < text.length) made.push({ text: text.slice(done), hit: false });
  return made;
}

/** The part of a long text around the first match, cut at blanks; undefined when nothing is found. */
export function passage(text: string, phrases: readonly Phrase[], before = 40, length = 180): string | undefined {
  const plain = text.replace(/\s+/g, " ").trim();
  const [first] = find(plain, phrases);
  if (first === undefined) return undefined;
  const begin = first.from <= before ? 0 : plain.lastIndexOf(" ", first.from - before) + 1;
  const rest = plain.slice(begin, begin + length);
  const isCut = begin + length < plain.length;
  const cut = isCut ? rest.slice(0, Math.max(rest.lastIndexOf(" "), first.to - begin)) : rest;
  return `${begin > 0 ? "… " : ""}${cut}${isCut ? " …" : ""}`;
}
