// Decimals: exact, sortable, and in one form however they are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isDecimal, percentChange, sortable } from "../../../src/core/value/decimal.ts";
import { runs } from "../../support/budget.ts";

const digits = (min: number, max: number) =>
  fc.array(fc.constantFrom(..."0123456789"), { minLength: min, maxLength: max }).map((list) => list.join(""));
const decimal = fc
  .tuple(fc.constantFrom("", "+", "-"), digits(1, 12), fc.option(digits(1, 12), { nil: undefined }))
  .map(([sign, whole, fraction]) => sign + whole + (fraction === undefined ? "" : `.${fraction}`));

function exact(text: string): bigint {
  const [whole = "", fraction = ""] = text.replace(/^[+-]/, "").split(".");
  const magnitude = BigInt(whole + fraction.padEnd(12, "0"));
  return text.startsWith("-") ? -magnitude : magnitude;
}

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

test("a decimal is an optional sign, digits, and a point with digits after it", () => {
  for (const text of ["0", "230", "230.0000", "-0.50", "+1", ".5", "-.5", "007", "1".repeat(60)])
    assert.ok(isDecimal(text), text);
  for (const text of [
    "",
    "-",
    ".",
    "5.",
    "1e3",
    "1,000",
    " 1",
    "1\n",
    "0x1",
    "--1",
    "1.2.3",
    "NaN",
    "١",
    "1".repeat(61),
  ])
    assert.ok(!isDecimal(text), text);
});

test("equal numbers have one sortable form, however they are written", () => {
  for (const text of ["0.05", "0.0500", "+.05", "00.05", ".05"]) assert.equal(sortable(text), sortable("0.05"), text);
  for (const text of ["0", "-0", "+0.00", "000", "-.0"]) assert.equal(sortable(text), sortable("0"), text);
});

test("sortable forms sort like the numbers, unlike their text", () => {
  const rising = [
    "-100",
    "-10.5",
    "-10",
    "-9",
    "-1.25",
    "-1.2",
    "-1",
    "-0.5",
    "-0.05",
    "0",
    "0.004",
    "0.05",
    "0.5",
    "1",
    "1.2",
    "1.25",
    "9",
    "10",
    "10.5",
    "100",
    `1${"0".repeat(59)}`,
  ];
  assert.deepEqual(
    rising.toReversed().sort((a, b) => order(sortable(a), sortable(b))),
    rising,
  );
});

test("sortable forms agree with exact arithmetic", () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      assert.equal(order(sortable(a), sortable(b)), order(exact(a), exact(b)));
      assert.match(sortable(a), /^[\x21-\x7e]+$/);
    }),
    { numRuns: runs(300, 3000) },
  );
});

test("zeros at either end don't change the sortable form", () => {
  fc.assert(
    fc.property(decimal, digits(0, 3), (text, more) => {
      const zeros = "0".repeat(more.length);
      const padded = text.replace(/^([+-]?)/, `$1${zeros}`) + (text.includes(".") ? zeros : `.0${zeros}`);
      assert.equal(sortable(padded), sortable(text));
    }),
  );
});

test("anything but a decimal has no sortable form", () => {
  assert.throws(() => sortable(""), RangeError);
  assert.throws(() => sortable("N/A"), RangeError);
});

test("a change has two decimals and a sign", () => {
  assert.equal(percentChange("300", "260"), "-13.33");
  assert.equal(percentChange("260", "300"), "+15.38");
  assert.equal(percentChange("230.00", "230.0000"), "0.00");
  assert.equal(percentChange("100", "200"), "+100.00");
  assert.equal(percentChange("3", "0"), "-100.00");
  assert.equal(percentChange("1", "12345.6789"), "+1234467.89");
  assert.equal(percentChange(".10", "+0.105"), "+5.00");
});

test("halves are rounded away from zero, exactly", () => {
  assert.equal(percentChange("20000", "20001"), "+0.01");
  assert.equal(percentChange("20000", "19999"), "-0.01");
  assert.equal(percentChange("20001", "20002"), "0.00");
  assert.equal(percentChange("20001", "20000"), "0.00");
  assert.equal(percentChange("1", "1.01005"), "+1.01");
});

test("short decimals change by the same percentage as long ones, which are computed differently", () => {
  const short = fc
    .tuple(digits(0, 7), digits(0, 4))
    .filter(([whole, fraction]) => whole + fraction !== "")
    .map(([whole, fraction]) => (fraction === "" ? whole : `${whole}.${fraction}`));
  fc.assert(
    // A sign makes it a long one.
    fc.property(short, short, (prior, current) =>
      assert.equal(percentChange(prior, current), percentChange(`+${prior}`, current)),
    ),
    {
      numRuns: runs(300, 3000),
      examples: [
        ["9999999.9999", "0"],
        ["0.0001", "9999999.9999"],
        [".5", "7"],
      ],
    },
  );
  for (const wrong of ["5.", ".", "1..2", "1.2.3"]) assert.equal(percentChange(wrong, "5"), "");
});

test("a rise from a loss is a rise", () => {
  assert.equal(percentChange("-2", "-1"), "+50.00");
  assert.equal(percentChange("-2", "-3"), "-50.00");
});

test("without two known numbers, or from zero, there is no change", () => {
  for (const [prior, current] of [
    ["", "260"],
    ["300", ""],
    ["", ""],
    ["0", "5"],
    ["-0.00", "5"],
    ["N/A", "5"],
    ["5", "1e3"],
  ] as const)
    assert.equal(percentChange(prior, current), "");
});
