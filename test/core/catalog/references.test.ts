// What rules read from a record is derived from the rules, and a rule that reads something missing fails at startup.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anyOf, linkedTo } from "../../../src/core/catalog/common-rules.ts";
import { extension } from "../../../src/core/catalog/extension.ts";
import { csvParameter, p } from "../../../src/core/catalog/parameter.ts";
import { referencesOf } from "../../../src/core/catalog/references.ts";
import { resource } from "../../../src/core/catalog/resource.ts";
import { type Rule, rule } from "../../../src/core/catalog/rule.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { dividends } from "../../../src/resources/dividends.ts";
import { analysts } from "../../../src/resources/lists/ratings-lists.ts";
import { news } from "../../../src/resources/news.ts";
import { ratings } from "../../../src/resources/ratings.ts";

const options = { what: "values", normalize: (value: string) => value, example: "A,B" };
const by = (column: string): Rule => anyOf(p("x"), column, "Values", options);

describe("a rule is rejected", () => {
  const rejects = (rules: readonly Rule[], reason: RegExp, of = dividends) =>
    assert.throws(() => resource({ ...of, rules }), reason);

  test("for an unknown field", () =>
    rejects([by("curency")], /^Error: The resource dividends .* parameters\[x\]: dividends has no field "curency"/));

  test("for a property name that every object has", () => rejects([by("toString")], /has no field "toString"/));

  test("for a list, a large text, and a computed field", () => {
    rejects([by("stocks")], /the field "stocks" is of kind list/, news);
    rejects([by("body")], /the field "body" is large text/, news);
    rejects([by("pt_pct_change")], /the field "pt_pct_change" is computed/, ratings);
  });

  test("for links and search text that are not stored", () => {
    rejects([linkedTo("x", p("x"), "Values", options)], /dividends stores no links of kind "x"/);
    const searching = rule({ words: csvParameter("words", "Words", options) }, ({ words }) =>
      words === undefined ? {} : { where: [{ op: "search", phrases: [words], combine: "or" }] },
    );
    rejects([searching], /words: dividends stores no search text/);
  });

  test("of an extension, for a column that its table doesn't have", () =>
    assert.throws(
      () => extension({ ...analysts, rules: [by("pt_current")] }),
      /ratings-analysts .* has no field "pt_current"/,
    ));
});

describe("a filter", () => {
  test("on a field without a column gets one, and an index in the list's order", () => {
    const filtered = resource({ ...dividends, rules: [...dividends.rules, by("currency")] });
    assert.deepEqual(filtered.indexes, [...dividends.indexes, ["currency", "date", "id"]]);
  });

  test("compares text of any length within what an index can hold", () => {
    const { currency } = dividends.fields;
    assert.equal(String(currency?.compareKey("x".repeat(100_000))).length, 512);
    assert.ok(String(currency?.compareKey(`${"x".repeat(511)}\u{1f600}`)).isWellFormed());
    assert.equal(currency?.compareKey("USD"), "USD");
  });
});

test("every column that a rule of the catalog names exists", () => {
  const named = catalog.flatMap(({ name, rules }) =>
    referencesOf(rules).flatMap((each) =>
      "column" in each ? [`${name}.${each.column}`] : "order" in each ? each.order.map((by) => `${name}.${by}`) : [],
    ),
  );
  for (const column of ["dividends.dividend_yield", "dividends.payable_date", "economics.country_code", "news.created"])
    assert.ok(named.includes(column), column);
});
