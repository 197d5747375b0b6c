// The one reading of text for search. Index and query both come through here, so that two databases with two
// tokenizers of their own find the same things.

const NOT_ASCII = /[^\0-\x7f]/;

// Letters that Unicode does not take apart, and the two sigmas, which toLowerCase tells apart by their place in the word.
const SPELLED: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};

// Dashes, quotes and currency are all that is not ASCII in most bodies, and folding the whole of them for these is slow.
// ™ and ℠ are here because NFKD would write them as letters and grow them onto the name before: `Veklury™` is `veklury`.
const SEPARATORS = /[\u00a0£©®\u2010-\u2027€™℠]/g;

/** The words of a text, folded: `words("Café COVID-19")` is `["cafe", "covid", "19"]`. Entities are not decoded here. */
export function words(text: string): string[] {
  const read = NOT_ASCII.test(text) ? text.replace(SEPARATORS, " ") : text;
  if (!NOT_ASCII.test(read)) return read.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = read
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[øłßæœđðþıς]/g, (letter) => SPELLED[letter] ?? letter);
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
