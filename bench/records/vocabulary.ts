// Fictional words for benchmark news, in three frequency classes, by which topics are searched.
import type { Draw } from "../../demo/draw.ts";

const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru pla sti tro".split(
  " ",
);

/** The nth word of so many syllables; unique, since no syllable starts with a vowel or ends in a consonant. */
function word(n: number, length: number): string {
  let rest = n;
  let text = "";
  for (let i = 0; i < length; i++) {
    text += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return text;
}

const words = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => word(n, length));

/**
 * `share` is the class's part of all running words. With a third of the items having bodies of some 450 words, and
 * titles of ten, a common word is found in about a quarter of all items (3 in 100 titles), a middle one in 2 of 100
 * items, a rare one in 3 of 10,000.
 */
export const vocabulary = {
  common: { words: words(200, 2), share: 0.6 },
  middle: { words: words(2000, 3), share: 0.3 },
  rare: { words: words(50_000, 4), share: 0.1 },
} as const;

export type WordClass = keyof typeof vocabulary;

export function drawWord(draw: Draw): string {
  const { common, middle, rare } = vocabulary;
  const luck = draw.unit();
  const { words } = luck < common.share ? common : luck < common.share + middle.share ? middle : rare;
  return draw.pick(words);
}
