// Waking the parts of a mirror: never missed, and within half of the budget.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestBudget } from "../../src/mirror/upstream/request-budget.ts";
import { Wake, Wakes } from "../../src/mirror/wake.ts";
import { virtualClock } from "./support/virtual-clock.ts";

const signal = new AbortController().signal;

function setting(requests = 10) {
  const clock = virtualClock();
  const rate = { requests, periodMs: 1000 };
  const budget = requestBudget(rate, clock);
  return { clock, budget, options: { clock, budget, rate } };
}

describe("a sleep of a mirror", () => {
  test("takes its whole time if nothing changes", async () => {
    const { clock, options } = setting();
    const began = clock.time;
    await new Wake(options).sleep(30_000, signal);
    assert.equal(clock.time - began, 30_000);
  });

  test("ends with a change, also with one that came before it, and looks again a second later", async () => {
    const { clock, options } = setting();
    const wake = new Wake(options);
    const began = clock.time;
    const sleeping = wake.sleep(30_000, signal);
    wake.call();
    await sleeping;
    assert.equal(clock.time - began, 0);
    wake.call();
    await wake.sleep(30_000, signal);
    assert.equal(clock.time - began, 0);
    await wake.sleep(30_000, signal);
    assert.equal(clock.time - began, 1000);
    await wake.sleep(30_000, signal);
    assert.equal(clock.time - began, 31_000);
  });

  test("continues while half of the budget is used, but never past its time", async () => {
    const { clock, budget, options } = setting();
    const wake = new Wake(options);
    const began = clock.time;
    for (let request = 0; request < 5; request++) await budget.acquire(signal);
    wake.call();
    await wake.sleep(30_000, signal);
    assert.equal(clock.time - began, 1000);
    for (let request = 0; request < 5; request++) await budget.acquire(signal);
    wake.call();
    await wake.sleep(300, signal);
    assert.equal(clock.time - began, 1300);
  });

  test("ends for the resource that changed, or for every part if that isn't known", async () => {
    const { clock, options } = setting();
    const wakes = new Wakes(options);
    const slept = async (name: string, call: () => void): Promise<number> => {
      const began = clock.time;
      const sleeping = wakes.of(name).sleep(500, signal);
      call();
      await sleeping;
      return clock.time - began;
    };
    wakes.of("news");
    assert.equal(await slept("ratings", () => wakes.call("ratings")), 0);
    assert.equal(await slept("earnings", () => wakes.call("news")), 500);
    assert.equal(await slept("earnings", () => wakes.call()), 0);
  });
});
