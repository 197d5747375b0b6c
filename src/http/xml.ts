// JSON values as XML: one element a member, lists as elements marked `is_array` that hold `item`s.
import type { Json } from "../core/row.ts";

/** `<result is_array="true"><item>…</item></result>` */
export const xmlList = (name: string, items: readonly Json[]): string => element(name, items);

function element(name: string, value: Json): string {
  if (Array.isArray(value)) {
    return `<${name} is_array="true">${value.map((item: Json) => element("item", item)).join("")}</${name}>`;
  }
  return `<${name}>${content(value)}</${name}>`;
}

function content(value: Json): string {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value)
      .map(([name, member]) => element(name, member as Json))
      .join("");
  }
  return escapeXml(String(value ?? ""));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

// XML 1.0 has no way to write any other character, so the rest is removed. A carriage return is written as a
// reference, since a reader would turn a plain one into a line feed.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export function escapeXml(text: string): string {
  return text
    .replace(forbidden, "")
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll("\r", "&#13;");
}
