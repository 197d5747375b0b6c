// API keys and tokens of links: generation, validation, and hashing. Each is shown once; only its hash is stored.
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "bw_";
/** Looks like a key, so that it is redacted like one, and is never taken for one. */
const linkPrefix = `${prefix}link_`;
const randomLength = 32;
const checksumLength = 6;

/** `bw_`, 32 random letters and digits (190 bits), and a checksum that detects mistyped keys. */
export const generateKey = (): string => generate(prefix);

export const generateLinkToken = (): string => generate(linkPrefix);

function generate(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => letters[randomInt(letters.length)]).join("");
  return `${prefix}${random}${checksum(random)}`;
}

/**
 * The key of the demo's web page. Derived from the database's ID, so that every process knows it without storing it. It is
 * valid only if its hash is among the stored keys, which only the demo adds.
 */
export function pageKey(database: string): string {
  const bytes = hash("sha512", `page ${database}`, "buffer").subarray(0, randomLength);
  const made = Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
  return `${prefix}${made}${checksum(made)}`;
}

/** Whether a text is well-formed; this rejects most invalid tokens without a database lookup. */
export const isKey = (text: string): boolean => isWellFormed(text, prefix);

export const isLinkToken = (text: string): boolean => isWellFormed(text, linkPrefix);

function isWellFormed(text: string, prefix: string): boolean {
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
