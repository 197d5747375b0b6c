// The market calendar and New York time, against printed holidays and against the time zone database.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayText, isTradingDay, newYorkSeconds, readDay, tradingDaysLater } from "../../demo/days.ts";
import { isTrading } from "./generated.ts";

test("the trading days of 2024 to 2026 are those of the exchange", () => {
  for (let day = readDay("2024-01-01"); day <= readDay("2026-12-31"); day++) {
    assert.equal(isTradingDay(day), isTrading(dayText(day)), dayText(day));
  }
});

test("a holiday on a weekend is observed on the adjacent weekday, except New Year's Day on a Saturday", () => {
  const trading = (text: string) => isTradingDay(readDay(text));
  assert.equal(trading("2021-12-31"), true);
  assert.equal(trading("2022-06-20"), false);
  assert.equal(trading("2022-12-26"), false);
  assert.equal(trading("2023-01-02"), false);
  assert.equal(trading("2027-06-18"), false);
  assert.equal(trading("2027-12-24"), false);
});

test("Juneteenth was a trading day before 2022", () => {
  assert.equal(isTradingDay(readDay("2020-06-19")), true);
  assert.equal(isTradingDay(readDay("2024-06-19")), false);
});

test("trading days are counted across weekends and holidays, in both directions", () => {
  assert.equal(dayText(tradingDaysLater(readDay("2024-11-27"), 1)), "2024-11-29");
  assert.equal(dayText(tradingDaysLater(readDay("2024-12-02"), -2)), "2024-11-27");
});

test("New York time converts to the same Unix seconds as in the time zone database", () => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "America/New_York",
    dateStyle: "short",
    timeStyle: "medium",
  });
  for (let day = readDay("2023-01-01"); day <= readDay("2027-12-31"); day++) {
    for (const clock of [0, 3 * 3600 + 1, 12 * 3600, 86_399]) {
      const printed = format.format(new Date(newYorkSeconds(day, clock) * 1000));
      const expected = `${dayText(day)} ${new Date(clock * 1000).toISOString().slice(11, 19)}`;
      assert.equal(printed, expected);
    }
  }
});

test("only real days of the form YYYY-MM-DD are parsed", () => {
  for (const text of ["2026-02-29", "2026-2-1", "17.06.2026", "", "2026-13-01"]) {
    assert.throws(() => readDay(text), RangeError, text);
  }
});
