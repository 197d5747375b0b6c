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

/** Where text ends in which a parser sees no tags. What stands in for a style ends where a script does. */
const endOfScript = /<\/(?:script|style)/gi;
const endsOfText: Readonly<Record<string, RegExp>> = {
  "<script": endOfScript,
  "<style": endOfScript,
  ...Object.fromEntries(
    ["title", "textarea", "xmp", "iframe", "noembed", "noframes"].map((each) => [
      `<${each}`,
      new RegExp(`</${each}`, "gi"),
    ]),
  ),
};
const endOfComment = /--!?>/g;
const endOfMarkup = />/g;

export function unstyled(html: string): string {
  const kept: string[] = [];
  let at = 0;
  // A tag that begins inside a comment or the text of a script doesn't reach beyond it, however it is quoted.
  let isInside = false;
  let limit = html.length;
  const enter = (end: RegExp | undefined, from: number): void => {
    if (isInside || end === undefined) return;
    end.lastIndex = from;
    isInside = true;
    limit = end.exec(html)?.index ?? html.length;
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = (pattern.exec(html)?.[0] ?? "").slice(0, limit - at);
    at += found.length;
    return found;
  };
  while (at < html.length) {
    if (at >= limit) {
      isInside = false;
      limit = html.length;
    }
    const next = html.indexOf("<", at);
    const end = next === -1 ? limit : Math.min(next, limit);
    kept.push(html.slice(at, end));
    at = end;
    if (end === limit) continue;
    const tag = take(name);
    if (tag === "") {
      // A sign that begins no tag.
      if (html.startsWith("<!--", at)) enter(endOfComment, at + 2);
      else if (/[!?/]/.test(html[at + 1] ?? "")) enter(endOfMarkup, at);
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
    enter(endsOfText[tag.toLowerCase()], at);
  }
  return kept.join("");
}
