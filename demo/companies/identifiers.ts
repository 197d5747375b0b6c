// Made-up identifiers with correct check digits. CUSIP issuers beginning with 99 are reserved for private use, so none
// of these can be the real identifier of a company.
import type { Draw } from "../draw.ts";

/** Digits are themselves, letters count from 10. */
function worthOf(character: string): number {
  return Number.parseInt(character, 36);
}

/** CUSIP check digit: every second value is doubled, and the digits of all values are added. */
export function cusipCheckDigit(body: string): number {
  let sum = 0;
  for (const [index, character] of [...body].entries()) {
    const value = worthOf(character) * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10;
}

/** ISIN check digit: letters become two digits, then Luhn from the right. */
export function isinCheckDigit(body: string): number {
  const digits = [...body].map((character) => String(worthOf(character))).join("");
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10;
}

/** The identifiers of the nth instrument of the tables; every seventeenth CUSIP contains a letter. */
export function identifiersOf(place: number, country: string): { cusip: string; isin: string } {
  // 41 and 10,000 are coprime: no two instruments share a number.
  const number = String((place * 41 + 137) % 10_000).padStart(4, "0");
  const letter = "ABCDEFGHJKLMNPQRSTUVWXYZ"[place % 24] as string;
  const issuer = place % 17 === 5 ? `99${number.slice(0, 3)}${letter}` : `99${number}`;
  const cusip = `${issuer}10${cusipCheckDigit(`${issuer}10`)}`;
  return { cusip, isin: `${country}${cusip}${isinCheckDigit(`${country}${cusip}`)}` };
}

/** A calendar id: eight hex digits of the creation second, then sixteen drawn ones. */
export function calendarId(createdSeconds: number, draw: Draw): string {
  return createdSeconds.toString(16).padStart(8, "0") + draw.at("id").hex(16);
}
