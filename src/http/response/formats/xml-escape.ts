// Escapes text for XML.

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

// XML 1.0 can't represent these characters, so they are removed. A carriage return is written as a reference, since
// parsers turn a plain one into a line feed.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export function escapeXml(text: string): string {
  return text
    .replace(forbidden, "")
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll("\r", "&#13;");
}
