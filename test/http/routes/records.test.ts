// POST of records: what it stores, what it rejects, and its report.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { catalog } from "../../../src/resources/catalog.ts";
import { type RecordInput, resourceNamed } from "../../support/clients/api.ts";
import { counts, day, isProblem, lines, writer } from "../../support/clients/writing.ts";
import { crowd, sample } from "../../support/records/records.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

sharingEveryStore("POST of records", (test) => {
  test("stores an array of each resource like an import, and serves it", async (api) => {
    const { post } = await writer(api);
    for (const resource of catalog) {
      const records = sample(crowd(resource, 20));
      const ids = new Set(records.map(({ id }) => id));
      const sent = await post(`/admin/v1/records/${resource.name}`, JSON.stringify(records));
      assert.equal(sent.status, 200, sent.text);
      assert.equal(sent.json.created, ids.size);
      assert.equal(await api.store.count(resource), ids.size);
      const again = await post(`/admin/v1/records/${resource.name}`, JSON.stringify(records.slice(0, 1)));
      assert.equal(again.json.unchanged + again.json.updated, 1);
    }
  });

  test("counts created, updated, and unchanged records, in a response that is not cacheable", async (api) => {
    const { post } = await writer(api);
    const url = "/admin/v1/records/ratings";
    const first = await post(
      url,
      JSON.stringify([
        { id: "a", ...day },
        { id: "b", ...day },
      ]),
    );
    assert.deepEqual([first.status, first.json], [200, counts(2)]);
    assert.equal(first.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(first.headers["cache-control"], "no-store");
    assert.ok(first.headers["x-request-id"]);
    const second = await post(
      url,
      JSON.stringify([
        { id: "a", ...day },
        { id: "b", ...day, ticker: "F" },
        { id: "c", ...day },
      ]),
    );
    assert.deepEqual(second.json, counts(1, 1, 1));
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), ["c", "b", "a"]);
    assert.deepEqual((await post(url, "[]")).json, counts(0));
  });

  test("accepts NDJSON under either name, with a charset, and compressed", async (api) => {
    const { post } = await writer(api);
    const records = [
      { id: "é1", ...day, name: "Société" },
      { id: "2", ...day },
    ];
    let id = 0;
    const fresh = () => records.map((record) => ({ ...record, id: `${record.id}-${++id}` }));
    for (const [type, write] of [
      ["application/json", JSON.stringify],
      ["application/json; charset=utf-8", JSON.stringify],
      ["APPLICATION/JSON", JSON.stringify],
      ["application/x-ndjson", lines],
      ["application/jsonl;charset=UTF-8", lines],
    ] as const) {
      const plain = await post("/admin/v1/records/earnings", write(fresh()), { type });
      assert.deepEqual([plain.status, plain.json], [200, counts(2)], type);
      for (const encoding of ["gzip", "GZIP", "x-gzip"]) {
        const headers = { "content-encoding": encoding };
        const packed = await post("/admin/v1/records/earnings", gzipSync(write(fresh())), { type, headers });
        assert.deepEqual([packed.status, packed.json], [200, counts(2)], `${type} ${encoding}`);
      }
    }
    assert.equal(await api.store.count(resourceNamed("earnings")), id);
  });

  test("accepts hidden attributes, which can be filtered by, and sets updated to the time of the request", async (api) => {
    const { post } = await writer(api);
    const item = { id: 7, title: "A", created: 1_700_000_000, importance: "high", regions: ["us"] };
    assert.equal((await post("/admin/v1/records/news", JSON.stringify([item]))).status, 200);
    assert.deepEqual(await api.ids("/api/v2/news?importance=high&region=USA"), [7]);
    api.clock.now += 1000;
    await post("/admin/v1/records/dividends", JSON.stringify([{ id: "d", ...day }]));
    const { dividends } = await api.get("/api/v2.2/calendar/dividends");
    assert.equal(dividends[0].updated, api.clock.now);
  });

  test("stores more records than fit into one transaction, and the later of two with the same ID", async (api) => {
    const { post } = await writer(api);
    const many: RecordInput[] = Array.from({ length: 1001 }, (_, n) => ({ id: `r${n % 1000}`, ...day, notes: `${n}` }));
    const { status, json } = await post("/admin/v1/records/guidance", lines(many), { type: "application/x-ndjson" });
    assert.deepEqual([status, json], [200, counts(1000, 1)]);
    const { guidance } = await api.get("/api/v2.1/calendar/guidance?parameters[is_primary]=All&pagesize=1000");
    assert.equal(guidance.find(({ id }: RecordInput) => id === "r0").notes, "1000");
  });
});

sharingEveryStore("POST of records, some of them rejected", (test) => {
  const bad = [
    { id: "d-1", ...day, ticker: "ACME", dividend: "0.2500" },
    { id: "d-2", date: "2024-02-30", dividend: 0.25, tickr: "ACME" },
    { ...day },
    { id: "d-4", ...day },
  ];
  const reasons = [
    "tickr: no such attribute",
    'date: expected a day as YYYY-MM-DD, got "2024-02-30"',
    'dividend: expected a decimal number as text, such as "1.50", got 0.25',
  ];

  test("stores the valid ones and returns 207, with position, ID, and every reason for the others", async (api) => {
    const { post } = await writer(api);
    const report = {
      ...{ read: 4, created: 2, updated: 0, unchanged: 0, refused: 2 },
      refusals: [
        { index: 1, line: 1, id: "d-2", reasons },
        { index: 2, line: 1, reasons: ["id: expected a value: it is required, got nothing"] },
      ],
    };
    const { status, json } = await post("/admin/v1/records/dividends", JSON.stringify(bad));
    assert.deepEqual([status, json], [207, report]);
    const inLines = await post("/admin/v1/records/dividends", `\n${lines(bad)}`, { type: "application/x-ndjson" });
    assert.equal(inLines.status, 207);
    assert.deepEqual(
      inLines.json.refusals.map(({ index, line }: RecordInput) => [index, line]),
      [
        [1, 3],
        [2, 4],
      ],
    );
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends"), ["d-4", "d-1"]);
  });

  test("stores none with atomic=true, returns 422, and reports the same reasons in report and errors", async (api) => {
    const { post } = await writer(api);
    for (const atomic of ["true", "1", "TRUE"]) {
      const response = await post(`/admin/v1/records/dividends?atomic=${atomic}`, JSON.stringify(bad));
      isProblem(response, "records.refused", 422, /^2 of 4 records were rejected, and none was stored\.$/);
      const { report, errors } = response.json;
      assert.deepEqual([report.read, report.created, report.refused], [4, 0, 2]);
      assert.deepEqual(report.refusals[0], { index: 1, line: 1, id: "d-2", reasons });
      assert.deepEqual(errors.slice(0, 2), [
        { parameter: "[1].tickr", given: '"ACME"', expected: "no such attribute" },
        { parameter: "[1].date", given: '"2024-02-30"', expected: "a day as YYYY-MM-DD" },
      ]);
      assert.equal(errors.length, 4);
    }
    assert.equal(await api.store.count(resourceNamed("dividends")), 0);
    assert.equal(await api.store.lastPosition(), 0);
    const good = await post("/admin/v1/records/dividends?atomic=true", JSON.stringify([bad[0], bad[3]]));
    assert.deepEqual([good.status, good.json], [200, counts(2)]);
    const without = await post("/admin/v1/records/dividends?atomic=false", JSON.stringify(bad));
    assert.equal(without.status, 207);
  });

  test("returns 422 with the same report if none was valid", async (api) => {
    const { post } = await writer(api);
    const one = await post("/admin/v1/records/dividends", JSON.stringify([bad[1]]));
    isProblem(one, "records.refused", 422, /^The record was rejected, and none was stored\.$/);
    assert.deepEqual(one.json.report.refusals, [{ index: 0, line: 1, id: "d-2", reasons }]);
    for (const [body, reason] of [
      ["", /^the body is empty: a JSON array of records was expected$/],
      [
        "{}",
        /^not a JSON array: \[ was expected first; send a body with one object per line as application\/x-ndjson$/,
      ],
      ["[1]", /^expected an object, got 1$/],
      ["[nonsense]", /^not valid JSON/],
    ] as const) {
      const { status, json } = await post("/admin/v1/records/dividends", body);
      assert.deepEqual([status, json.code], [422, "records.refused"], body);
      assert.match(json.report.refusals[0].reasons[0], reason);
    }
  });

  test("stores the records before the error if an array is malformed, and reports its position", async (api) => {
    const { post } = await writer(api);
    const good = JSON.stringify({ id: "a", ...day });
    for (const [rest, expectedReason] of [
      [',{"id":"b","date":"2024', /^the body ends inside the record that begins here/],
      [`,{"id":"b" "date":1},${good}]`, /^not valid JSON/],
      ["", /^the body is truncated: the \] that ends the array is missing$/],
      ["] and more", /^there is text after the \]/],
    ] as const) {
      const { status, json } = await post("/admin/v1/records/ratings", `[${good}${rest}`);
      assert.equal(status, 207, rest);
      assert.match(json.refusals[0].reasons[0], expectedReason);
      const whole = await post("/admin/v1/records/economics?atomic=true", `[${good}${rest}`);
      assert.equal(whole.status, 422);
      assert.match(whole.json.report.refusals[0].reasons[0], expectedReason);
    }
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), ["a"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/economics"), []);
  });

  test("reports compressed data that is truncated or invalid", async (api) => {
    const { post } = await writer(api);
    const records: RecordInput[] = Array.from({ length: 5000 }, (_, n) => ({
      id: `r${n}`,
      ...day,
      notes: `${n * 7919}`,
    }));
    const packed = gzipSync(lines(records));
    const headers = { "content-encoding": "gzip" };
    const sent = { type: "application/x-ndjson", headers };
    const cut = await post("/admin/v1/records/ratings", packed.subarray(0, packed.length / 2), sent);
    assert.equal(cut.status, 207);
    assert.match(
      cut.json.refusals[0].reasons[0],
      /^the gzip data is truncated: nothing after the record that begins here/,
    );
    assert.equal(await api.store.count(resourceNamed("ratings")), cut.json.created);
    assert.ok(cut.json.created > 1000);
    const damaged = Buffer.from(packed);
    damaged.fill(0, packed.length >> 1, (packed.length >> 1) + 500);
    const atomic = await post("/admin/v1/records/earnings?atomic=true", damaged, sent);
    isProblem(atomic, "records.refused", 422, /rejected, and none was stored\.$/);
    assert.equal(await api.store.count(resourceNamed("earnings")), 0);
    const plain = await post("/admin/v1/records/earnings", lines(records), sent);
    isProblem(plain, "request.body", 400, /^Cannot read the body: its gzip data is damaged\.$/);
    const undeclared = await post("/admin/v1/records/earnings", packed, { type: "application/x-ndjson" });
    assert.equal(undeclared.status, 422);
  });

  test("lists the first thousand and counts all, however long their reasons are", async (api) => {
    const { post } = await writer(api);
    const type = "application/x-ndjson";
    const many = await post("/admin/v1/records/ratings", lines(Array(1500).fill({ id: "x" })), { type });
    assert.deepEqual([many.status, many.json.report.refused], [422, 1500]);
    assert.deepEqual(
      many.json.report.refusals.map(({ index }: RecordInput) => index),
      [...Array(1000).keys()],
    );
    const wide = {
      id: "w".repeat(300),
      ...Object.fromEntries([...Array(4000).keys()].map((n) => [`k${n}`.padEnd(900, "k"), n])),
    };
    const huge = await post("/admin/v1/records/ratings", lines([wide, wide]), { type });
    const [first] = huge.json.report.refusals;
    assert.ok(huge.text.length < 5_000_000);
    assert.equal(huge.json.report.refused, 2);
    assert.equal(first.id, undefined);
    assert.match(first.reasons.at(-1), /^and \d+ more reasons$/);
    assert.ok(first.reasons.every((reason: string) => reason.length <= 500));
  });

  test("never echoes a key in a record", async (api) => {
    const { post, key } = await writer(api);
    const { text } = await post("/admin/v1/records/ratings", JSON.stringify([{ id: key, date: key, [key]: key }]));
    assert.ok(!text.includes(key.slice(0, 20)), text);
  });
});
