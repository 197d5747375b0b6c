// Security headers: how browsers may use responses.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("every response", (test) => {
  test("forbids MIME sniffing, framing, loading subresources, and sending referrers", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const authorization = `Bearer ${api.token}`;
    for (const [url, headers, status] of [
      ["/api/v2/news", { authorization }, 200],
      ["/api/v2/news/1", { authorization }, 200],
      ["/api/v2/news?page=x", { authorization }, 400],
      ["/api/v2/news", {}, 401],
      ["/nowhere", {}, 404],
      ["/livez", {}, 200],
      ["/openapi.json", {}, 200],
      ["/docs", {}, 200],
      ["/docs/problems", {}, 200],
    ] as const) {
      const found = await api.request(url, { headers });
      assert.equal(found.status, status, url);
      assert.equal(found.headers["x-content-type-options"], "nosniff", url);
      assert.equal(found.headers["referrer-policy"], "no-referrer", url);
      assert.equal(found.headers["x-frame-options"], "SAMEORIGIN", url);
      assert.match(found.headers["content-security-policy"] ?? "", /^default-src 'none';.*frame-ancestors/, url);
      assert.equal(found.headers["x-powered-by"], undefined, url);
      assert.equal(found.headers.server, undefined, url);
    }
  });

  test("that may be a page is isolated from pages of other origins", async (api) => {
    for (const url of ["/docs", "/docs/problems", "/nowhere"]) {
      const { headers } = await api.request(url);
      assert.equal(headers["cross-origin-opener-policy"], "same-origin", url);
      assert.equal(headers["origin-agent-cluster"], "?1", url);
      assert.equal(headers["x-permitted-cross-domain-policies"], "none", url);
      assert.equal(headers["x-dns-prefetch-control"], "off", url);
    }
  });
});
