// Markup without its styles, event handlers and base address. A browser applies the page's policy even to a document that
// is parsed and never shown, and logs each of these in the console. Nothing depends on this for safety.

/** Sticky patterns, as an HTML parser reads a tag. Each takes in what it passes, so that the time is that of the length. */
const name = /<\/?[a-z][^\s/>]*/iy;
const between = /[\s/]*/y;
const attribute = /=?[^\s/>=]+/y;
const value = /\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s>]*)/y;

const forbidden = /^(?:style$|on)/i;

/** Elements that take part in the document itself, and what stands in for them: each is left out in the end. */
const replaced: Readonly<Record<string, string>> = {
  "<style": "<script",
  "</style": "</script",
  "<base": "<link",
  "</base": "</link",
};

export function unstyled(html: string): string {
  const kept: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(html)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (at < html.length) {
    const next = html.indexOf("<", at);
    const end = next === -1 ? html.length : next;
    kept.push(html.slice(at, end));
    at = end;
    const tag = take(name);
    if (tag === "") {
      // A sign that begins no tag.
      kept.push(html.slice(at, at + 1));
      at++;
      continue;
    }
    kept.push(replaced[tag.toLowerCase()] ?? tag);
    for (;;) {
      kept.push(take(between));
      const named = take(attribute);
      if (named === "") break;
      const given = take(value);
      if (!forbidden.test(named)) kept.push(named, given);
    }
  }
  return kept.join("");
}
