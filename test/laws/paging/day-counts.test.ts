// Whatever a key's terms, the count of a day is the number of records in the key's own list of that day.
import assert from "node:assert/strict";
import fc from "fast-check";
import { addDays } from "../../../src/core/value/time-zone.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type Api, type Body, type RecordInput, recordsOf, testNow } from "../../support/clients/api.ts";
import { seed } from "../../support/records/records.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

/** The current day, in the service's time zone. */
const today = "2026-01-15";
const dates = Array.from({ length: 8 }, (_, index) => addDays(today, index - 5));
const recordCount = 60;

type Drawn = { readonly day: number; readonly age: number; readonly is_primary: boolean };

/** Days around today; ages up to three hours, so that a delay hides some. */
const drawn: fc.Arbitrary<readonly Drawn[]> = fc.array(
  fc.record({
    day: fc.nat({ max: dates.length - 1 }),
    age: fc.nat({ max: 10_800 }),
    is_primary: fc.boolean(),
  }),
  { minLength: recordCount, maxLength: recordCount },
);

const terms = fc.record({
  history: fc.constantFrom("", "0d", "2d", "4d", addDays(today, -3), addDays(today, 1)),
  delay: fc.constantFrom(0, 1, 30, 90, 179, 400),
  resources: fc.oneof(
    fc.constant([]),
    fc.subarray(
      catalog.map(({ name }) => name),
      { minLength: 1 },
    ),
  ),
});

/** News is dated by its age; others have any day. */
function recordOf(name: string, { day, age, is_primary }: Drawn, index: number): RecordInput {
  if (name === "news") return { id: index + 1, created: testNow - age - 86_400 * Math.max(0, day - 3) };
  const primary = name === "guidance" ? { is_primary: String(is_primary) } : {};
  return { id: `${name}-${index}`, date: dates[day], updated: testNow - age, ...primary };
}

async function lengthsOf(api: Api, headers: Record<string, string>, date: string, names: readonly string[]) {
  const lengths: Record<string, number> = {};
  for (const { name, path, intake } of catalog.filter((each) => names.includes(each.name))) {
    const { size, days } = intake;
    const url = `${path}?${days.from}=${date}&${days.to}=${date}&${size.name}=${size.max}`;
    const { status, json, text } = await api.request(url, { headers });
    assert.equal(status, 200, text);
    lengths[name] = recordsOf(json).length;
  }
  return lengths;
}

onEveryStore("day counts", (test) => {
  test("are the lengths of the key's lists, for any terms", async (api) => {
    for (const [at, { name }] of catalog.entries()) {
      const [records = []] = fc.sample(drawn, { numRuns: 1, seed: seed + at });
      await api.has(
        name,
        records.map((each, index) => recordOf(name, each, index)),
      );
    }
    const property = fc.asyncProperty(terms, async (input) => {
      const headers = { authorization: `Bearer ${await api.key(input)}` };
      const daysOf = async (query: string): Promise<Body[]> => {
        const { status, json, text } = await api.request(`/api/v2.1/days?${query}`, { headers });
        assert.equal(status, 200, text);
        return json.days;
      };
      const range = `parameters[date_from]=${dates[0]}&parameters[date_to]=${dates.at(-1)}`;
      const counted = await daysOf(range);
      const first = /^\d+d$/.test(input.history) ? addDays(today, -Number.parseInt(input.history, 10)) : input.history;
      assert.deepEqual(
        counted.map(({ date }) => date),
        dates.filter((date) => date >= first).toReversed(),
      );
      for (const { date, ...counts } of counted)
        assert.deepEqual({ ...counts }, { ...(await lengthsOf(api, headers, date, Object.keys(counts))) }, date);
      // Without a range, those between the last and the first day with a visible record.
      const open = new Map((await daysOf("pagesize=400")).map((each) => [each.date, each]));
      for (const { date, ...counts } of counted) {
        if (open.has(date)) assert.deepEqual(open.get(date), { date, ...counts });
        else assert.deepEqual(new Set(Object.values(counts)), new Set([0]), date);
      }
    });
    await fc.assert(property, { seed, numRuns: runs(6, 60) });
  });
});
