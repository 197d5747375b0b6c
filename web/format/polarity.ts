// Whether a higher value of a series is better, by the phrases in its name.

export type Phrases = Readonly<Record<"neutral" | "higherIsWorse" | "higherIsBetter", readonly string[]>>;

/** Whole words only: "rate" isn't in "corporate". */
function hasPhrase(text: string, phrases: readonly string[]): boolean {
  const words = ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;
  return phrases.some((phrase) => words.includes(` ${phrase} `));
}

/** 1: higher is better; -1: higher is worse; 0: neither, or unknown. */
export function polarityOf(name: string, { neutral, higherIsWorse, higherIsBetter }: Phrases): -1 | 0 | 1 {
  if (hasPhrase(name, neutral)) return 0;
  if (hasPhrase(name, higherIsWorse)) return -1;
  return hasPhrase(name, higherIsBetter) ? 1 : 0;
}
