// The reference for language models: an index, every page as Markdown, and all pages in one file.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { type Api, startApi } from "../support/clients/api.ts";

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api.close());

describe("the reference for language models", () => {
  test("llms.txt links to every page, and every page is served as Markdown without a key", async () => {
    const { text, status, headers } = await api.request("/llms.txt");
    assert.deepEqual([status, headers["content-type"]], [200, "text/plain; charset=utf-8"]);
    assert.match(text, /^# Bellwire\n\n> /);
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = ""]) => path);
    for (const { name } of [...catalog, ...extensions]) assert.ok(links.includes(`/docs/${name}.md`), name);
    const full = (await api.request("/llms-full.txt")).text;
    for (const link of links.filter((path) => path.endsWith(".md"))) {
      const page = await api.request(link);
      assert.deepEqual([page.status, page.headers["content-type"]], [200, "text/markdown; charset=utf-8"], link);
      assert.match(page.text, /^# /);
      assert.ok(full.includes(page.text), link);
      for (const [, path = ""] of page.text.matchAll(/\]\(([^)#]+\.md)\)/g))
        assert.ok(links.includes(`/docs/${path}`), `${link} links to ${path}`);
    }
  });

  test("a page that doesn't exist is a 404", async () => {
    for (const path of ["/docs/nothing.md", "/docs/news", "/docs/..%2fllms.txt"])
      assert.deepEqual(
        [(await api.request(path)).status, (await api.request(path)).json.code],
        [404, "request.path"],
        path,
      );
  });
});
