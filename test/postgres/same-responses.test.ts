// Both stores return identical responses to thousands of random requests: status, content headers, and body.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { runs } from "../support/budget.ts";
import { type Api, type ApiResponse, type RecordInput, startApi } from "../support/clients/api.ts";
import { anyRecord, crowd, sample, seed } from "../support/records/records.ts";
import { requests, rowsOf } from "../support/requests/requests.ts";
import { type OwnPostgres, ownPostgres, stores } from "../support/stores/stores.ts";

const total = runs(1020, 10_000);
const newsCount = runs(300, 2800);
const crowdSize = runs(80, 160);
/** Concurrent requests, so that both stores work in parallel. */
const together = 8;

const countOf = (resource: Resource): number =>
  resource.name === "news" ? newsCount : (total - newsCount) / (catalog.length - 1);

type Request = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly method: string };

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** Invalid and unusual parameters: errors must be identical, too. */
const strange = one(
  "page=-1",
  "page=1&page=2",
  "pageSize=5000",
  "pagesize=1&pageSize=2",
  "nonsense=1&[x]=%E2%82%AC",
  "parameters[date]=2024-02-30",
  "parameters[importance]=9",
  "parameters[date_from]=2025-01-01&parameters[date_to]=2024-01-01",
  "date=2024-13-01",
  "topics=%22%27%20%2A",
  "sort=created",
  "fields=id,none",
  "%zz=1",
  "parameters[tickers]=%ff",
);

/** The value in one of so many cases, otherwise undefined. */
const onceIn = <T>(times: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: one(undefined) }, { weight: 1, arbitrary: value });

function anyRequest(resource: Resource, records: readonly RecordInput[]): fc.Arbitrary<Request> {
  const xml = one("application/xml", "text/xml;q=0.9, application/json;q=0.1", "application/*;q=0.1, text/xml");
  const accept = fc.oneof(
    { weight: 10, arbitrary: one(undefined, undefined, "*/*", "application/json") },
    { weight: resource.formats.includes("xml") ? 5 : 1, arbitrary: xml },
    { weight: 1, arbitrary: one("text/html", "application/json;q=0") },
  );
  const method = fc.oneof({ weight: 40, arbitrary: one("GET") }, { weight: 1, arbitrary: one("HEAD", "POST") });
  const url = requests(resource, records, rowsOf(resource, records));
  return fc
    .tuple(url, onceIn(8, strange), accept, onceIn(20, one("gzip", "br")), method)
    .map(([address, more, wanted, coding, verb]) => ({
      url: more === undefined ? address : `${address}${address.includes("?") ? "&" : "?"}${more}`,
      headers: {
        ...(wanted === undefined ? {} : { accept: wanted }),
        ...(coding === undefined ? {} : { "accept-encoding": coding }),
      },
      method: verb,
    }));
}

/** Everything in a response except the ETag, which identifies the database. */
function compared({ status, headers, bytes }: ApiResponse) {
  const { etag, date, "x-stream-position": position, ...others } = headers;
  // A position starts with the identity of the database.
  const seq = position?.split(".")[1];
  return { status, tagged: etag !== undefined, seq, headers: others, body: bytes.toString("base64") };
}

function kindOf({ status, headers, bytes }: ApiResponse): string {
  if (status !== 200) return String(status);
  return bytes.length < 60 ? "empty" : headers["content-type"]?.includes("xml") ? "xml" : "full";
}

/** Applies every kind of write, identically in each store. */
async function fill(api: Api, resource: Resource): Promise<readonly RecordInput[]> {
  const first = sample(crowd(resource, crowdSize));
  const others = sample(crowd(resource, crowdSize * 2)).slice(crowdSize);
  const ids = new Set(first.map(({ id }) => id));
  const strangers = sample(fc.array(anyRecord(resource), { minLength: 12, maxLength: 12 })).filter(
    (record) => !ids.has(record.id) && api.rejections(resource.name, record).length === 0,
  );
  await api.has(resource.name, first);
  const replaced = first.map((record, at) => (at % 2 === 0 ? record : { ...others[at], id: record.id }));
  await api.has(resource.name, [...replaced, ...strangers]);
  const gone = replaced.filter((_, at) => at % 5 === 0);
  await api.store.remove(
    resource,
    gone.map(({ id }) => String(id)),
  );
  await api.has(
    resource.name,
    gone.filter((_, at) => at % 2 === 0),
  );
  return replaced;
}

describe("identical responses from both stores [postgres]", { skip: !stores.includes("postgres") }, () => {
  let sqlite: Api;
  let postgres: Api;
  let database: OwnPostgres;
  /** Number of responses of each kind. */
  const kinds = new Map<string, number>();

  before(async () => {
    sqlite = await startApi();
    database = await ownPostgres("same");
    postgres = await startApi({ database: database.url });
  });

  after(async () => {
    await sqlite?.close();
    await postgres?.close();
    await database?.drop();
  });

  const send = async (api: Api, { url, headers, method }: Request, id: string) =>
    api.request(url, { method, headers: { authorization: `Bearer ${api.token}`, "x-request-id": id, ...headers } });

  for (const resource of catalog) {
    test(`${resource.name}: ${countOf(resource)} requests`, async () => {
      const records = await fill(sqlite, resource);
      await fill(postgres, resource);
      const drawn = fc.sample(anyRequest(resource, records), { seed, numRuns: countOf(resource) });
      let next = 0;
      const client = async () => {
        for (let request = drawn[next++]; request !== undefined; request = drawn[next++]) {
          const id = `r-${next}`;
          const [one, other] = await Promise.all([send(sqlite, request, id), send(postgres, request, id)]);
          const message = `${request.method} ${request.url} ${JSON.stringify(request.headers)} (BELLWIRE_TEST_SEED=${seed})`;
          if (!one.bytes.equals(other.bytes)) assert.equal(other.text, one.text, message);
          assert.deepEqual(compared(other), compared(one), message);
          const kind = kindOf(one);
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: together }, client));
    });
  }

  test("covers thousands of requests: most find records, some use XML, and some are rejected", (t) => {
    assert.equal(
      [...kinds.values()].reduce((sum, count) => sum + count),
      total,
    );
    t.diagnostic([...kinds].map(([kind, count]) => `${kind} ${count}`).join(", "));
    for (const [kind, part] of Object.entries({
      full: 0.4,
      xml: 0.03,
      empty: 0.01,
      400: 0.03,
      405: 0.005,
      406: 0.03,
    })) {
      assert.ok((kinds.get(kind) ?? 0) > part * total, `${kinds.get(kind)} are ${kind}`);
    }
    assert.equal(kinds.get("500"), undefined);
  });
});
