// Search matches in a text, found with the server's own tokenizer.
import { tokenize } from "../../src/core/text/tokenize.ts";

/** The words of a topic, which must be consecutive. */
export type Phrase = readonly string[];

/** From topics separated by commas. */
export const phrasesOf = (topics: string): Phrase[] =>
  topics
    .split(",")
    .map(tokenize)
    .filter((phrase) => phrase.length > 0);

export type Fragment = { readonly text: string; readonly isMatch: boolean };

type TextRange = { readonly from: number; readonly to: number };

/** Letters and digits, with combining marks. */
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** All matches of any phrase, in order. */
function findMatches(text: string, phrases: readonly Phrase[]): TextRange[] {
  const tokens = [...text.matchAll(wordPattern)].flatMap(({ 0: token, index }) =>
    tokenize(token).map((word) => ({ word, from: index, to: index + token.length })),
  );
  const found: TextRange[] = [];
  for (const [at, token] of tokens.entries()) {
    for (const phrase of phrases) {
      if (!phrase.every((word, offset) => tokens[at + offset]?.word === word)) continue;
      found.push({ from: token.from, to: tokens[at + phrase.length - 1]?.to ?? token.to });
    }
  }
  return found;
}

export const hasMatch = (text: string, phrases: readonly Phrase[]): boolean => findMatches(text, phrases).length > 0;

/** Splits the text into matches and the text between them. */
export function fragmentsOf(text: string, phrases: readonly Phrase[]): Fragment[] {
  const fragments: Fragment[] = [];
  let done = 0;
  for (const { from, to } of findMatches(text, phrases)) {
    if (to <= done) continue;
    const begin = Math.max(from, done);
    if (begin > done) fragments.push({ text: text.slice(done, begin), isMatch: false });
    fragments.push({ text: text.slice(begin, to), isMatch: true });
    done = to;
  }
  if (done < text.length) fragments.push({ text: text.slice(done), isMatch: false });
  return fragments;
}

/** The text around the first match, cut at spaces; undefined without a match. */
export function excerpt(text: string, phrases: readonly Phrase[], before = 40, length = 180): string | undefined {
  const plain = text.replace(/\s+/g, " ").trim();
  const [first] = findMatches(plain, phrases);
  if (first === undefined) return undefined;
  const begin = first.from <= before ? 0 : plain.lastIndexOf(" ", first.from - before) + 1;
  const rest = plain.slice(begin, begin + length);
  const isCut = begin + length < plain.length;
  const cut = isCut ? rest.slice(0, Math.max(rest.lastIndexOf(" "), first.to - begin)) : rest;
  return `${begin > 0 ? "… " : ""}${cut}${isCut ? " …" : ""}`;
}
