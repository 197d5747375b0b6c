// The reference for language models: every page as Markdown at a path next to the HTML, an index, and all of it in one.
import type { CompatTable } from "../core/catalog/compat.ts";
import type { Extension } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { referencePages } from "./reference.ts";
import { bullets, page } from "./table.ts";

/** URL path → Markdown. */
export function servedReference(
  catalog: readonly Resource[],
  extensions: readonly Extension[],
  compat: CompatTable,
): Map<string, string> {
  const pages = [...referencePages(catalog, extensions, compat)].map(([file, text]) => ({
    path: `/docs/${file}`,
    // Other documentation isn't served.
    text: text.replace(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, "$1"),
  }));
  return new Map([
    ["/llms.txt", index(pages)],
    ["/llms-full.txt", pages.map(({ text }) => text).join("\n---\n\n")],
    ...pages.map(({ path, text }) => [path, text] as const),
  ]);
}

function index(pages: readonly { readonly path: string; readonly text: string }[]): string {
  const links = pages.map(({ path, text }) => {
    const [title = "", summary = ""] = text.split("\n\n");
    return `[${title.replace("# ", "")}](${path}): ${summary.replaceAll("\n", " ")}`;
  });
  return page([
    "# Bellwire",
    "> A server of financial news and calendars over a read-only HTTP API: news, analyst ratings, dividends, guidance, earnings, economic events, and conference calls. Every request needs a key.",
    "Assistants can use it through the Model Context Protocol at `/mcp`, with the key in the `Authorization` header.",
    "## Reference",
    bullets(...links),
    "## Optional",
    bullets(
      "[OpenAPI](/openapi.json): the whole interface as an OpenAPI 3.1 document",
      "[AsyncAPI](/asyncapi.json): streams and webhooks as an AsyncAPI 3 document",
      "[Everything](/llms-full.txt): all pages above in one file",
    ),
  ]);
}
