// Any character of Unicode. The unit "binary" of fast-check is the same, but makes a table of all of them, which takes
// longer than most test files.
import fc from "fast-check";

const surrogates = { from: 0xd800, count: 0x800 };

export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.from ? n : n + surrogates.count), numberOf);

/** The inverse, which fast-check needs for its list of dangerous strings. */
function numberOf(text: unknown): number {
  const found = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (found === undefined || String.fromCodePoint(found) !== text) throw new Error("not a single character");
  return found < surrogates.from ? found : found - surrogates.count;
}
