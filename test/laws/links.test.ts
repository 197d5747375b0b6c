// Links of every list: each returns what its key's list returns with the link's parameters, whatever the client adds.
import assert from "node:assert/strict";
import fc from "fast-check";
import { hasPathParameters, type Listing } from "../../src/core/catalog/extension.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { runs } from "../support/budget.ts";
import type { Api, ApiResponse } from "../support/clients/api.ts";
import { crowd, sample, seed } from "../support/records/records.ts";
import { requests, rowsOf } from "../support/requests/requests.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

/** Attempts to read something else, or something more. */
const additions: readonly { readonly query?: string; readonly headers?: Readonly<Record<string, string>> }[] = [
  {},
  { query: "pagesize=1&page=3" },
  { query: "output=xml&parameters[date]=1999-01-01&tickers=NONE&fields=id" },
  { query: "cursor=x&%zz&token=bw_nobody" },
  { headers: { authorization: "Bearer bw_nobody" } },
  { headers: { accept: "application/pdf" } },
];

/** A feed has a link to itself and to its next page, which a link doesn't have. */
const ownUrls = /^<link rel="(?:self|next)" .*\n/gm;

const body = ({ status, bytes, headers }: ApiResponse, output: string) => ({
  status,
  text: output === "atom" ? bytes.toString().replace(ownUrls, "") : bytes.toString(),
  ...Object.fromEntries(["content-type", "vary", "cache-control"].map((name) => [name, headers[name]])),
  ...(output === "atom" ? {} : { etag: headers.etag }),
});

async function agree(api: Api, list: string, output: string, key: string): Promise<void> {
  const url = `${list}${list.includes("?") ? "&" : "?"}output=${output}`;
  const made = await api.request("/admin/v1/links", {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ url: `https://example.com${url}` }),
  });
  const expected = await api.request(url, { headers: { authorization: `Bearer ${key}` } });
  if (expected.status === 400) {
    assert.deepEqual(made.json.errors, expected.json.errors);
    return;
  }
  assert.equal(expected.status, 200, url);
  assert.equal(made.status, 201, `${url} returned ${made.text}`);
  assert.match(made.json.url, new RegExp(`^/links/bw_link_[0-9A-Za-z]{38}/[a-z0-9-]+\\.${output}$`));
  for (const { query = "", headers = {} } of additions) {
    const opened = await api.request(`${made.json.url}${query && "?"}${query}`, { headers });
    assert.deepEqual(body(opened, output), body(expected, output), `${url} with ${query} ${JSON.stringify(headers)}`);
    assert.equal(opened.headers.link, undefined);
  }
  const { etag = "" } = (await api.request(made.json.url)).headers;
  assert.equal((await api.request(made.json.url, { headers: { "if-none-match": etag } })).status, 304);
}

/** Sees no more than a part of every list. */
const restricted = (api: Api): Promise<string> =>
  api.key({ scopes: ["read", "links"], history: "2024-11-05", delay: 1, resources: ["news", "ratings", "earnings"] });

sharingEveryStore("links", (test) => {
  for (const resource of catalog) {
    test(`to ${resource.name} return the list with their parameters, whatever is added`, async (api) => {
      const records = sample(crowd(resource, 40));
      await api.has(resource.name, records);
      const key = await api.key({ scopes: ["read", "links"], licenses: ["cusip"] });
      const property = fc.asyncProperty(
        requests(resource, records, rowsOf(resource, records)),
        fc.constantFrom(...resource.formats),
        (url, output) => agree(api, url, output, key),
      );
      await fc.assert(property, { seed, numRuns: runs(6, 60) });
    });
  }

  test("to any other list do, too", async (api) => {
    for (const resource of catalog) await api.has(resource.name, sample(crowd(resource, 20)));
    const key = await api.key({ scopes: ["read", "links"] });
    const lists: readonly Listing[] = extensions.filter((each) => !hasPathParameters(each));
    for (const { path } of lists) await agree(api, path, "json", key);
  });

  test("show what the terms of their key show", async (api) => {
    const key = await restricted(api);
    for (const resource of catalog) {
      await api.has(resource.name, sample(crowd(resource, 40)));
      const { path, name } = resource;
      if (["news", "ratings", "earnings"].includes(name)) await agree(api, path, "csv", key);
    }
  });
});
