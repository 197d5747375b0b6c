// Exports over real connections: one moment, slow clients, clients that leave, and limits.
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { resourceNamed } from "../../support/clients/api.ts";
import { bodyOf, openResponse, realFetch } from "../../support/clients/real-fetch.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** Much more than what sockets buffer. */
const notes = "n".repeat(1_000_000);
const count = 16;
const url = `/api/v2.1/calendar/earnings?output=ndjson&limit=${count}`;

const large = (changed = "") =>
  Array.from({ length: count }, (_, at) => ({ id: `e${at + 10}`, date: "2024-11-05", notes: notes + changed }));

const oneByOne = { exports: { chunkRecords: 1 } };

onEveryStore("an export", (test) => {
  test(
    "is of one moment, whatever is written while it is sent",
    async (api) => {
      await api.has("earnings", large());
      const before = (await realFetch(api, url)).text;
      const response = await openResponse(api, url);
      await api.has("earnings", large("changed"));
      await api.store.remove(
        resourceNamed("earnings"),
        large().map(({ id }) => id),
      );
      assert.equal((await realFetch(api, url)).text, "");
      assert.ok((await bodyOf(response)).toString() === before, "the export differs from the list at its beginning");
      const [line = ""] = api.log.filter((each) => each.includes(`"bytes":${Buffer.byteLength(before)}`));
      assert.match(line, /"status":200/);
    },
    oneByOne,
  );

  test(
    "waits for its client, and ends with it",
    async (api) => {
      await api.has("earnings", large());
      const first = await openResponse(api, url);
      const second = await openResponse(api, url);
      // Two are in progress until their clients have read them, or have left.
      const refused = await api.fetch(url);
      assert.deepEqual([refused.status, refused.json.code], [503, "server.busy"]);
      assert.equal(
        refused.json.detail,
        "This key has 2 exports in progress, which is the limit. Try again in a moment.",
      );
      assert.equal(refused.headers["retry-after"], "1");
      first.destroy();
      await waitUntil(async () => (await realFetch(api, url)).status === 200, "the slot is free");
      await bodyOf(second);
    },
    oneByOne,
  );

  test("is compressed on request, has an ETag, and no body for HEAD", async (api) => {
    await api.has(
      "ratings",
      Array.from({ length: 40 }, (_, at) => ({ id: `r${at + 10}`, ticker: "AAPL" })),
    );
    const path = "/api/v2.1/calendar/ratings?output=csv&limit=30";
    const plain = await api.fetch(path);
    const zipped = await api.fetch(path, { "accept-encoding": "gzip" });
    assert.deepEqual([zipped.headers["content-encoding"], plain.headers["content-encoding"]], ["gzip", undefined]);
    assert.equal(gunzipSync(zipped.bytes).toString(), plain.text);
    const { etag = "", link } = plain.headers;
    assert.match(etag, /^W\//);
    assert.equal((await api.fetch(path, { "if-none-match": etag })).status, 304);
    const authorization = `Bearer ${api.token}`;
    const head = await api.request(path, { method: "HEAD", headers: { authorization } });
    assert.deepEqual([head.status, head.text, head.headers.etag, head.headers.link], [200, "", etag, link]);
    // Of a key that doesn't see everything, the tag would depend on the body, which isn't known yet.
    const delayed = await api.fetch(path, { authorization: `Bearer ${await api.key({ delay: 15 })}` });
    assert.deepEqual([delayed.status, delayed.headers.etag, delayed.text.split("\r\n").length], [200, undefined, 2]);
    for (let round = 0; round < 5; round++) assert.equal((await api.fetch(path)).text, plain.text);
  });

  test("is limited in size, and to formats that are read line by line", async (api) => {
    const list = "/api/v2/news?";
    const page = await api.fetch(`${list}limit=5`);
    assert.deepEqual([page.status, page.headers["x-ignored-parameters"]], [200, "limit"]);
    assert.deepEqual(await api.errors(`${list}limit=5&output=atom&page=x`), [
      { parameter: "page", given: "x", expected: "an integer from 0 to 100000" },
      { parameter: "limit", given: "5", expected: "to be used with output=csv or output=ndjson" },
    ]);
    assert.deepEqual(await api.errors(`${list}limit=100001&output=csv`), [
      { parameter: "limit", given: "100001", expected: "an integer from 1 to 100000" },
    ]);
    assert.deepEqual(await api.errors(`${list}limit=5&output=csv&pageSize=7`), [
      { parameter: "limit", given: "5", expected: "to be absent with pageSize" },
      { parameter: "pageSize", given: "7", expected: "to be absent with limit" },
    ]);
    assert.equal((await api.fetch(`${list}limit=5`, { accept: "text/csv" })).status, 200);
    const days = await api.fetch("/api/v2.1/days?output=csv&limit=5");
    assert.equal(days.headers["x-ignored-parameters"], "limit");
  });
});
