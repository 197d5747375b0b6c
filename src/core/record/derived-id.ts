// IDs derived from other values of a record, the same every time.
import { hash } from "node:crypto";
import type { Field } from "../catalog/field.ts";

/** 128-bit fingerprint of a text. */
export const fingerprint = (text: string): string => hash("sha256", text, "base64url").slice(0, 22);

/** A UUID (version 8) for a text. */
export function uuidOf(text: string): string {
  const digits = hash("sha256", text, "hex");
  const variant = "89ab"[Number.parseInt(digits[16] as string, 16) % 4];
  return [
    ...[digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`],
    ...[`${variant}${digits.slice(17, 20)}`, digits.slice(20, 32)],
  ].join("-");
}

/** Candidates in order of preference: with 32 bits, a collision among 77,000 records is as likely as not. */
export function candidateId(print: string, n: number, max: number): number {
  const bits = Number.parseInt(hash("sha256", n === 0 ? print : `${print} ${n}`, "hex").slice(0, 8), 16);
  return (bits % max) + 1;
}

/** Text IDs have 96 bits, so that they never collide. */
export function derivedId(field: Field, print: string, n: number): string | number {
  return field.column === "integer"
    ? candidateId(print, n, field.range?.max ?? 0)
    : hash("sha256", print, "hex").slice(0, 24);
}
