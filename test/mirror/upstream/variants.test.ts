// Where an upstream accepts the token, and whether its paths end with a slash, is detected for each path.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Handler, json } from "../support/fake-upstream.ts";
import { token, withUpstream } from "../support/with-upstream.ts";

const inQueryOnly: Handler = ({ query }, response) =>
  query.get("token") === token ? json(response, []) : void response.writeHead(401).end();

describe("an upstream that", () => {
  test("accepts the token only in the query is detected with one request in auto mode", async () => {
    await withUpstream(
      inQueryOnly,
      async ({ request, server }) => {
        await request();
        await request();
        assert.deepEqual(
          server.requests.map(({ headers, query }) => [headers.authorization !== undefined, query.has("token")]),
          [
            [true, false],
            [false, true],
            [false, true],
          ],
        );
        assert.equal(server.requests[1]?.query.get("parameters[updated]"), "5");
      },
      { tokenIn: "auto" },
    );
    await withUpstream(inQueryOnly, async ({ request }) => assert.ok("refused" in ((await request()) as object)), {
      tokenIn: "header",
    });
    await withUpstream(
      (_, response) => void response.writeHead(401).end(),
      async ({ request, server }) => {
        await request();
        assert.equal(server.requests.length, 2);
      },
      { tokenIn: "auto" },
    );
  });

  test("accepts the token only in the query is detected by each of several concurrent requests", async () => {
    await withUpstream(
      inQueryOnly,
      async ({ request, server }) => {
        const paths = ["/a", "/b", "/c", "/d", "/e", "/f", "/g"];
        for (const response of await Promise.all(paths.map((path) => request(path))))
          assert.deepEqual((response as { body: unknown }).body, []);
        assert.equal(server.requests.length, 14);
        await request("/h");
        assert.equal(server.requests.length, 15);
      },
      { tokenIn: "auto" },
    );
  });

  test("protects some paths only doesn't mislead the detection of where it accepts the token", async () => {
    await withUpstream(
      ({ path, query }, response) =>
        path === "/open" || query.get("token") === token ? json(response, []) : void response.writeHead(401).end(),
      async ({ request }) => {
        await request("/open");
        assert.deepEqual(((await request("/list")) as { body: unknown }).body, []);
      },
      { tokenIn: "auto" },
    );
  });

  test("has a path only with a trailing slash is requested with it from then on", async () => {
    await withUpstream(
      ({ path }, response) => (path === "/list/" ? json(response, ["ok"]) : void response.writeHead(404).end()),
      async ({ request, server }) => {
        assert.deepEqual(((await request()) as { body: unknown }).body, ["ok"]);
        await request();
        assert.deepEqual(await request("/none"), { refused: { status: 404, detail: "status 404" } });
        assert.deepEqual(
          server.requests.map(({ path }) => path),
          ["/list", "/list/", "/list/", "/none", "/none/"],
        );
      },
    );
  });
});
