// Concatenated pages are the whole list, in every size, by number and by cursor.
import { canonical, difference, shown } from "../compare.ts";
import type { Context } from "../context.ts";
import { expectedRecords } from "../expected.ts";
import { emptyBody, type Pair, queryText, recordsIn, urlOf } from "../target.ts";
import { universePage } from "../universe.ts";
import { parsed } from "../values.ts";
import type { Check } from "./check.ts";

export const pagesCheck: Check = {
  name: "pages",
  title: "concatenated pages are the whole list",
  run: async (context) => {
    const { name, max } = context.target.resource.intake.size;
    checkKnownPages(context);
    for (const page of [0, 1, 2, 3]) await context.verify([name, "7"], ["page", String(page)]);
    for (const size of ["1", "50", "100", String(max)]) await context.verify([name, size]);
    await context.verify([name, "13"], ["page", "1"]);
    await checkEnd(context);
    await checkLinks(context);
  },
};

/** The pages from which the records were read: full but for the last, without duplicates. */
function checkKnownPages(context: Context): void {
  const { target, universe } = context;
  const seen = new Set<string>();
  const lists = universe.pages.map(({ json }) => recordsIn(target.envelope, json) ?? []);
  for (const [at, records] of lists.entries()) {
    const request = { url: universePage(target, at) };
    if (records.length < 100 && (lists[at + 1]?.length ?? 0) > 0)
      context.report(request, "a page that isn't the last has fewer records than requested", {
        expected: "100 records",
        received: `${records.length} records`,
      });
    for (const { id } of records) {
      if (seen.has(canonical(id))) context.report(request, `record ${canonical(id)} is on two pages`);
      seen.add(canonical(id));
    }
  }
}

/** A page past the end is empty, and nothing else: clients compare it with the text. */
async function checkEnd(context: Context): Promise<void> {
  const { target } = context;
  const exchange = await context.send({ url: urlOf(target.path, "page=100000") });
  if (!context.expectStatus(exchange, 200, "a page past the end is rejected")) return;
  const expected = emptyBody(target.envelope);
  if (exchange.text !== expected)
    context.report(exchange.request, "a page past the end is not exactly an empty list", {
      expected: JSON.stringify(expected),
      received: JSON.stringify(exchange.text.slice(0, 100)),
    });
}

/** An extension: if pages link to the next one, following the links yields the same list. */
async function checkLinks(context: Context): Promise<void> {
  const { target, universe } = context;
  const size: Pair = [target.resource.intake.size.name, "8"];
  let url = urlOf(target.path, queryText([size]));
  for (let page = 0; page < 3; page++) {
    const exchange = await context.send({ url });
    const query = parsed(target, universe.zone, size, ["page", String(page)]);
    const expected = query && expectedRecords(target, universe, query);
    if (!context.expectStatus(exchange, 200, 'following rel="next": the request is rejected')) return;
    const received = recordsIn(target.envelope, exchange.json);
    if (received === undefined) {
      const body = { received: shown(exchange.text) };
      return context.report(exchange.request, 'following rel="next": the body isn\'t a list of records', body);
    }
    const problem = expected && difference(expected, received);
    if (problem !== undefined) context.report(exchange.request, `following rel="next": ${problem.message}`, problem);
    const next = /<([^>]+)>;\s*rel="?next"?/.exec(exchange.headers.get("link") ?? "")?.[1];
    if (next === undefined) return;
    url = context.session.relative(next);
  }
}
