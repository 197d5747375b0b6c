// A URL with a key is never disclosed: no link, redirect, or page passes it on.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("a key in a URL", (test) => {
  test("is in no Link header and on no page, and browsers are instructed to send no referrer", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 5 }, (_, at) => ({ id: at + 1 })),
    );
    await api.has("ratings", [{ id: "a" }, { id: "b" }]);
    const { token } = api;
    const isClear = (text: string) => !text.includes(token.slice(3, 19));
    for (const [url, status, header] of [
      [`/api/v2/news?token=${token}&pagesize=2`, 200, "link"],
      [`/api/v2/news?%74oken=${token}&pagesize=2&a=${token}`, 200, "link"],
      [`/api/v2.1/calendar/ratings?token=${token}&pagesize=1`, 200, "link"],
    ] as const) {
      const found = await api.request(url);
      assert.equal(found.status, status, url);
      assert.notEqual(found.headers[header], undefined, `${url} has no ${header}`);
      assert.ok(isClear(JSON.stringify(found.headers) + found.text), url);
      assert.equal(found.headers["referrer-policy"], "no-referrer", url);
    }
    for (const url of ["/", "//", "/news", "/docs", "/docs/problems"]) {
      const { headers, text } = await api.request(`${url}?token=${token}`);
      assert.equal(headers["referrer-policy"], "no-referrer", url);
      assert.ok(isClear(JSON.stringify(headers) + text), url);
    }
  });
});
