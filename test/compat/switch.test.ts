// The switch itself: the flag and the variable of `serve`, and the term of a key, set and removed on a running server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { queryParameters } from "../../src/core/catalog/compat.ts";
import { hasPathParameters } from "../../src/core/catalog/extension.ts";
import { isUnknownIn } from "../../src/core/output/format.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import { document } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { bothWays } from "./both-ways.ts";

sharingEveryStore("the term of a key", (test) => {
  test("takes effect with the next request, cached responses included, and so does its removal", async (api) => {
    const key = await api.key();
    const [{ name } = assert.fail("no key")] = (await api.store.listKeys()).slice(-1);
    const url = "/api/v2.1/calendar/conference-calls";
    const keysOf = async () => {
      for (let repeat = 0; repeat < 3; repeat++) await api.request(`${url}?token=${key}`);
      return Object.keys((await api.request(`${url}?token=${key}`)).json);
    };
    assert.deepEqual(await keysOf(), ["conference-calls"]);
    await api.store.updateKey(name, { compat: true }, api.clock.now);
    await api.store.state();
    assert.deepEqual(await keysOf(), ["conference-calls", "conference"]);
    await api.store.updateKey(name, { compat: false }, api.clock.now);
    assert.deepEqual(await keysOf(), ["conference-calls"]);
  });

  test("keys with and without it have different ETags where responses differ", async (api) => {
    const { lenient, strict } = await bothWays(api);
    const url = "/api/v2.1/calendar/conference-calls";
    const [one, other] = [await lenient(url), await strict(url)];
    assert.notEqual(one.headers.etag, other.headers.etag);
    assert.equal((await strict(url, { "if-none-match": one.headers.etag ?? "" })).status, 200);
    assert.equal((await lenient(url, { "if-none-match": one.headers.etag ?? "" })).status, 304);
  });

  test("every valid value of every parameter is still accepted", async (api) => {
    const { lenient } = await bothWays(api);
    for (const { variant } of compatTable.values()) {
      const path = variant.path.replace("{id}", "5");
      for (const parameter of queryParameters(variant)) {
        for (const value of parameter.opaque ? [] : parameter.valid) {
          const url = `${path}?${encodeURIComponent(parameter.names[0])}=${encodeURIComponent(value)}`;
          const { status, text, headers } = await lenient(url);
          const needsMore = text.includes("to be used with");
          assert.equal(status, needsMore ? 400 : 200, `${url}: ${text}`);
          const isIgnored = isUnknownIn("json", parameter);
          assert.equal(headers["x-ignored-parameters"], isIgnored ? parameter.names[0] : undefined, url);
        }
      }
    }
  });
});

describe("the OpenAPI document", () => {
  const { paths } = document as { paths: Record<string, { get: { "x-compat"?: Record<string, unknown> } }> };

  test("labels what the switch adds to each list, and lists no path of it as a path", () => {
    for (const { listing, paths: added } of compatTable.values()) {
      const label = paths[listing.path]?.get["x-compat"];
      assert.deepEqual(
        label?.paths,
        added.map(({ path }) => path),
      );
      for (const { path } of added) assert.equal(paths[path], undefined);
      if (!hasPathParameters(listing) && queryParameters(listing).some((each) => !each.forOtherFormats))
        assert.ok(Object.keys(label?.parameters ?? {}).length > 0, listing.name);
    }
  });
});
