// Any bytes sent as records: the report adds up, what it counts exists, and atomic is all or nothing.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { runs } from "../support/budget.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { writer } from "../support/clients/writing.ts";
import { seed } from "../support/records/records.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

const good = fc.nat({ max: 20 }).map((n) => JSON.stringify({ id: `r${n}`, date: "2024-11-05" }));
const bad = fc.constantFrom('{"id":"x"}', "{}", "null", "7", '{"id":"y","date":"2024-02-30"}', '{"id":"z"', "]", '"');
const separator = fc.constantFrom(",", "\n", ",\n", "");

/** Bodies that are nearly valid, in one way or another. */
const text = fc
  .tuple(
    fc.constantFrom("[", "", "\ufeff[", "{"),
    fc.array(fc.tuple(fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: bad }), separator), {
      maxLength: 12,
    }),
    fc.constantFrom("]", "", "]]", "\n"),
  )
  .map(([open, parts, close]) => Buffer.from(open + parts.flat().join("") + close));

const bytes = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
);

/** Plain, compressed, or compressed and then damaged. */
const body = fc
  .tuple(bytes, fc.constantFrom("plain", "packed", "cut"), fc.constantFrom("application/json", "application/x-ndjson"))
  .map(([plain, how, type]) => {
    const packed = gzipSync(plain);
    if (how === "plain") return { type, sent: plain, headers: {} };
    const sent = how === "cut" ? packed.subarray(0, packed.length - 5) : packed;
    return { type, sent, headers: { "content-encoding": "gzip" } };
  });

onEveryStore("request bodies of any kind", (test) => {
  test("are stored as reported, or not at all", async (api) => {
    const { post, remove } = await writer(api);
    const ratings = resourceNamed("ratings");
    await fc.assert(
      fc.asyncProperty(body, async ({ type, sent, headers }) => {
        const whole = await post("/admin/v1/records/ratings?atomic=true", sent, { type, headers });
        const afterWhole = await api.store.count(ratings);
        const each = await post("/admin/v1/records/ratings", sent, { type, headers });
        const report = each.json.report ?? each.json;
        assert.ok([200, 207, 400, 422].includes(each.status), each.text);
        assert.equal(whole.status === 200, each.status === 200);
        if (each.status === 400) assert.equal(each.json.code, "request.body");
        else {
          const stored = report.created + report.updated + report.unchanged;
          assert.equal(stored + report.refused, report.read);
          assert.equal(each.status, report.refused === 0 ? 200 : stored > 0 ? 207 : 422);
          assert.equal(report.refusals.length, report.refused);
          assert.equal(await api.store.count(ratings), afterWhole + report.created);
        }
        if (whole.status !== 200) assert.equal(afterWhole, 0);
        for await (const { id } of api.store.scan(ratings)) await remove(`/admin/v1/records/ratings/${id}`);
      }),
      { numRuns: runs(40, 150), seed },
    );
  });
});
