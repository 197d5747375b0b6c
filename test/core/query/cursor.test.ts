// Cursors: encoded and decoded, rejected if damaged, foreign, or made up; and what they require of the catalog.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cursorAt, parseCursor, positionIn } from "../../../src/core/query/cursor.ts";
import type { Plan, Position } from "../../../src/core/query/plan.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { inputsOf, parseUrl, urlOf } from "../../support/requests/requests.ts";

const planOf = (name: string, query: string): Plan => {
  const resource = resourceNamed(name);
  return parseUrl(resource, `${resource.path}?${query}`)?.plan ?? assert.fail(`${query} is not understood`);
};

const read = (plan: Plan, text: string): Position | undefined => {
  const cursor = parseCursor(text);
  return cursor === undefined ? undefined : positionIn(plan, cursor);
};

const ratings = planOf("ratings", "parameters[tickers]=F");
const position = ["2024-11-05", "09:30:00", "65f1c2d4a1b2c3d4e5f60718"];

describe("a cursor", () => {
  test("is short plain text in a URL, prefixed with its version", () => {
    const cursor = cursorAt(ratings, position);
    assert.match(cursor, /^1[A-Za-z0-9_-]+$/);
    assert.ok(cursor.length < 100, cursor);
  });

  test("decodes to its position in the same list, for any page size and any view of the records", () => {
    for (const [plan, at] of [
      [ratings, position],
      [ratings, ["2024-11-05", "", 'é😀\u0001"\\']],
      [planOf("ratings", "parameters[updated]=5"), [Number.MAX_SAFE_INTEGER, "a"]],
      [planOf("earnings", ""), ["2024-11-05", "amc", "a"]],
      [planOf("dividends", "parameters[date_sort]=ex"), ["", "2024-11-05", "a"]],
      [planOf("news", ""), [0, 1]],
      [planOf("news", "sort=created:asc"), [2 ** 32 - 1, 2 ** 32 - 1]],
      [planOf("news", "sort=id:desc"), [7]],
      [planOf("news", "topics=gold"), [2, 5, 7]],
    ] as const) {
      assert.deepEqual(read(plan, cursorAt(plan, at)), at);
    }
    const other = planOf("ratings", "parameters[tickers]=f&fields=id&simplify=true&pagesize=7");
    assert.deepEqual(read(other, cursorAt(ratings, position)), position);
  });

  test("is rejected by every other list", () => {
    for (const plan of [
      planOf("ratings", ""),
      planOf("ratings", "parameters[tickers]=GM"),
      planOf("ratings", "parameters[tickers]=F&parameters[importance]=0"),
      planOf("ratings", "parameters[tickers]=F&parameters[updated]=5"),
      planOf("earnings", "parameters[tickers]=F"),
      planOf("earnings", "parameters[tickers]=F&parameters[date_sort]=date:asc"),
    ]) {
      assert.equal(read(plan, cursorAt(ratings, position)), undefined);
    }
  });

  test("is rejected with any one character changed, removed, or added", () => {
    const cursor = cursorAt(ratings, position);
    for (let at = 0; at < cursor.length; at++) {
      for (const letter of "A1_-z=. ") {
        if (letter !== cursor[at])
          assert.equal(read(ratings, cursor.slice(0, at) + letter + cursor.slice(at + 1)), undefined);
        assert.equal(read(ratings, cursor.slice(0, at) + letter + cursor.slice(at)), undefined);
      }
      assert.equal(read(ratings, cursor.slice(0, at) + cursor.slice(at + 1)), undefined);
    }
  });

  test("is rejected if no record could be at its position, even if it is well-formed", () => {
    const topics = planOf("news", "topics=gold");
    for (const [plan, at] of [
      [ratings, position.slice(1)],
      [ratings, [...position, "a"]],
      [ratings, ["5.11.2024", "09:30:00", "a"]],
      [ratings, ["2024-11-05", "9:30", "a"]],
      [ratings, ["2024-11-05", "09:30:00", "a\0"]],
      [ratings, ["2024-11-05", "09:30:00", "\ud800"]],
      [ratings, ["2024-11-05", "09:30:00", "x".repeat(256)]],
      [ratings, ["2024-11-05", "09:30:00", 5]],
      [planOf("news", ""), [-1, 1]],
      [planOf("news", ""), [2 ** 32, 1]],
      [planOf("news", ""), [1, 2 ** 32]],
      [planOf("news", ""), ["Tue, 05 Nov 2024 09:30:00 -0500", 1]],
      [topics, [3, 5, 7]],
      [topics, [-1, 5, 7]],
      [topics, ["0", 5, 7]],
      [topics, [5, 7]],
    ] as [Plan, Position][]) {
      assert.equal(read(plan, cursorAt(plan, at)), undefined, JSON.stringify(at));
    }
    for (const values of ["[]", "{}", "null", "[1.5]", "[[1]]", "[null]", "5", "[1e400]", "not json", ""]) {
      assert.equal(parseCursor(`1AAAAAAAA${Buffer.from(values).toString("base64url")}`), undefined, values);
    }
  });
});

describe("preconditions of cursors", () => {
  for (const resource of catalog) {
    test(`${resource.name}: every order has one direction, and each of its columns can be read from a response`, () => {
      const queries = inputsOf(resource).flatMap(({ names, valid }) =>
        valid.map((value) => urlOf(resource, [[names[0], value]])),
      );
      for (const url of [resource.path, ...queries]) {
        const order = parseUrl(resource, url)?.plan.order ?? resource.order;
        assert.equal(new Set(order.map(({ direction }) => direction)).size, 1, url);
        assert.equal(order.at(-1)?.column, "id", url);
        for (const { column } of order) {
          const field = resource.fields[column] ?? assert.fail(column);
          assert.deepEqual([field.shown, field.optional, field.heavy], ["always", false, false], column);
          assert.notEqual(field.compareKey(field.empty), null, `${column} may be null`);
        }
      }
    });

    test(`${resource.name}: every record starts with a name that is never omitted and that no nested list has`, () => {
      const [first, ...rest] = Object.entries(resource.fields).filter(([, { shown }]) => shown === "always");
      assert.equal(first?.[1].optional, false);
      for (const [name, { members = {}, kind }] of rest) {
        assert.ok(!Object.hasOwn(members, first?.[0] ?? ""), name);
        assert.notEqual(kind, "object", `${name} may hold any name`);
      }
    });
  }
});
