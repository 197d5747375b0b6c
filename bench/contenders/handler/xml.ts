// The handler's XML: objects and lists as elements.

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

export function xmlOf(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    return `<${name} is_array="true">${value.map((item) => xmlOf("item", item)).join("")}</${name}>`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([member, each]) => xmlOf(member, each));
    return `<${name}>${members.join("")}</${name}>`;
  }
  return `<${name}>${escaped(String(value))}</${name}>`;
}
