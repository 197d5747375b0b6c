// Countries by code and English name. Returned names are CLDR's, from Intl; further spellings are accepted.
// The two tables are imported directly, since the package's entry point loads eighty languages.

import codes from "i18n-iso-countries/codes.json" with { type: "json" };
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };
import { normalizeName } from "../text/normalize.ts";
import { tokenize } from "../text/tokenize.ts";

const EURO_AREA = "EMU";

// The package's code for Kosovo is not part of ISO 3166.
const PAIRS = codes
  .map(([alpha2 = "", alpha3 = ""]) => [alpha2, alpha3] as const)
  .filter(([alpha2]) => alpha2 !== "XK");
const ALPHA3: ReadonlyMap<string, string> = new Map(PAIRS);
const ALPHA2: ReadonlyMap<string, string> = new Map(PAIRS.map(([alpha2, alpha3]) => [alpha3, alpha2]));

// These take precedence: two countries are called Congo, and ISO assigns the bare name to COG.
const SPOKEN: readonly (readonly [string, string])[] = [
  ["COG", "Congo"],
  ["BIH", "Bosnia"],
  ["SWZ", "Swaziland"],
  ["MMR", "Burma"],
  ["MKD", "Macedonia"],
  ["TLS", "East Timor"],
  ["VNM", "Viet Nam"],
  ["MAC", "Macau"],
  [EURO_AREA, "Euro Area"],
  [EURO_AREA, "Eurozone"],
  [EURO_AREA, "Euro Zone"],
];

/** Ignores accents, case, punctuation, and a leading article. */
function nameKey(text: string): string {
  return tokenize(text).join(" ").replace(/^the /, "");
}

// Lazy: Intl's names of 250 countries take a few milliseconds.
let names: Intl.DisplayNames | undefined;
let byName: Map<string, string> | undefined;

function cldrName(alpha2: string): string | undefined {
  names ??= new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return names.of(alpha2);
}

function nameTable(): Map<string, string> {
  const table = new Map<string, string>();
  const add = (alpha3: string, name: string | undefined): void => {
    const key = nameKey(name ?? "");
    if (key !== "" && !table.has(key)) table.set(key, alpha3);
  };
  for (const [alpha3, name] of SPOKEN) add(alpha3, name);
  const alternates: Readonly<Record<string, string | string[]>> = english.countries;
  for (const [alpha2, alpha3] of ALPHA3) {
    add(alpha3, cldrName(alpha2));
    for (const name of [alternates[alpha2] ?? []].flat()) add(alpha3, name);
  }
  return table;
}

/** Whether a text is an uppercase ISO 3166-1 alpha-3 code, or `EMU`. */
export function isCountryCode(text: string): boolean {
  return text === EURO_AREA || ALPHA2.has(text);
}

/** The alpha-3 code of a code or English name, case-insensitive: `us`, `USA`, and `United States` are `USA`. */
export function alpha3(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (isCountryCode(code)) return code;
  const found = ALPHA3.get(code);
  if (found) return found;
  byName ??= nameTable();
  return byName.get(nameKey(text));
}

/** The same, and `EMU` for `EUR`, by which other services code releases of the euro area. */
export const countryOrEuroArea = (text: string): string | undefined =>
  text.trim().toUpperCase() === "EUR" ? EURO_AREA : alpha3(text);

/** The English name of an alpha-3 code: `United States`, `Euro Area`. */
export function countryName(alpha3: string): string | undefined {
  if (alpha3 === EURO_AREA) return "Euro Area";
  const alpha2 = ALPHA2.get(alpha3);
  return alpha2 === undefined ? undefined : cldrName(alpha2);
}

/** The form in which regions are compared: the alpha-3 code of a country, or the normalized name (`europe`). */
export function region(text: string): string {
  return alpha3(text) ?? normalizeName(text);
}
