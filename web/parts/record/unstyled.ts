// Strips styles, event handlers, and base URLs from HTML, since browsers log policy violations even for documents that
// are only parsed. Not a security measure.

/** Sticky patterns for the parts of a tag. Each consumes what it matches, so that the time is linear. */
const name = /<\/?[a-z][^\s/>]*/iy;
const between = /[\s/]*/y;
const attribute = /=?[^\s/>=]+/y;
const value = /\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s>]*)/y;

const forbidden = /^(?:style$|on)/i;

/** Elements that affect the parsed document, and replacements, which the sanitizer drops later. */
const replaced: Readonly<Record<string, string>> = {
  "<style": "<script",
  "</style": "</script",
  "<base": "<link",
  "</base": "</link",
};

export function unstyled(html: string): string {
  const output: string[] = [];
  let at = 0;
  const consume = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(html)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (at < html.length) {
    const next = html.indexOf("<", at);
    const end = next === -1 ? html.length : next;
    output.push(html.slice(at, end));
    at = end;
    const tag = consume(name);
    if (tag === "") {
      // A "<" that starts no tag.
      output.push(html.slice(at, at + 1));
      at++;
      continue;
    }
    output.push(replaced[tag.toLowerCase()] ?? tag);
    for (;;) {
      output.push(consume(between));
      const attributeName = consume(attribute);
      if (attributeName === "") break;
      const attributeValue = consume(value);
      if (!forbidden.test(attributeName)) output.push(attributeName, attributeValue);
    }
  }
  return output.join("");
}
