// Tokenizer for search, shared by index and query so that both databases find the same records.

const NOT_ASCII = /[^\0-\x7f]/;

// Letters without a Unicode decomposition, and the final sigma.
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

// Most bodies have no other characters outside ASCII, and normalizing is slow.
// ™ and ℠ are separators because NFKD would append them to the preceding word as letters: `Veklury™` is `veklury`.
const SEPARATORS = /[\u00a0£©®\u2010-\u2027€™℠]/g;

/** `tokenize("Café COVID-19")` is `["cafe", "covid", "19"]`. Entities are not decoded. */
export function tokenize(text: string): string[] {
  const separated = NOT_ASCII.test(text) ? text.replace(SEPARATORS, " ") : text;
  if (!NOT_ASCII.test(separated)) return separated.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const normalized = separated
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[øłßæœđðþıς]/g, (letter) => SPELLED[letter] ?? letter);
  return normalized.match(/[\p{L}\p{N}]+/gu) ?? [];
}
