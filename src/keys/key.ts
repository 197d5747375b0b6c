// API keys: how one is made, recognized and hashed. A key is shown once; only its hash is kept.
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "bw_";
const randomLength = 32;
const checksumLength = 6;

/** `bw_`, 32 random letters and digits (190 bits), and a checksum by which a mistyped key is told from an unknown one. */
export function makeKey(): string {
  const random = Array.from({ length: randomLength }, () => letters[randomInt(letters.length)]).join("");
  return `${prefix}${random}${checksum(random)}`;
}

/**
 * The key that the page of the demo is given, the same in every process: made from the name of the database, so that it
 * need not be kept. It is good only where its hash is among the keys, which the demo alone sees to.
 */
export function pageKey(database: string): string {
  const bytes = hash("sha512", `page ${database}`, "buffer").subarray(0, randomLength);
  const made = Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
  return `${prefix}${made}${checksum(made)}`;
}

/** Whether a text can be a key at all; most wrong tokens are refused by this, with no look at the database. */
export function isKey(text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + randomLength + checksumLength) return false;
  const random = text.slice(prefix.length, -checksumLength);
  return text.slice(-checksumLength) === checksum(random);
}

export const hashKey = (key: string): string => hash("sha256", key, "hex");

function checksum(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let i = 0; i < checksumLength; i++) {
    text = letters[rest % letters.length] + text;
    rest = Math.floor(rest / letters.length);
  }
  return text;
}
