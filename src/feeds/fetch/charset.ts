// Decodes an XML document by its byte order mark, the charset of the response, or its declaration.

const marks: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** Longest declaration. */
const declarationLength = 200;

/** Text, or the name of an unknown charset. Invalid bytes become U+FFFD. */
export function decodeXml(bytes: Uint8Array, contentType: string): { text: string } | { unknownCharset: string } {
  const charset = charsetOf(bytes, contentType);
  try {
    return { text: new TextDecoder(charset).decode(bytes) };
  } catch {
    return { unknownCharset: charset };
  }
}

function charsetOf(bytes: Uint8Array, contentType: string): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked[1];
  const [, charset] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType) ?? [];
  if (charset !== undefined) return charset;
  // Every supported charset agrees with ASCII here, or has a NUL next to each letter.
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, declarationLength));
  if (head.startsWith("<\0?\0")) return "utf-16le";
  if (head.startsWith("\0<\0?")) return "utf-16be";
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1] ?? "utf-8";
}
