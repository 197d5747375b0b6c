// The lease: one mirror process per database, replaced when it stops renewing.
import assert from "node:assert/strict";
import { acquireLease } from "../../src/lease/lease.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { virtualClock } from "./support/virtual-clock.ts";

const name = "mirror lease";
const never = new AbortController().signal;
const quiet = () => {};

/** A holder on another machine, whose process can't be checked. */
const stranger = (beat: number): string =>
  JSON.stringify({ host: "elsewhere", machine: "elsewhere", pid: 1, run: "x", beat, at: 0 });

onEveryStore("a lease", (test) => {
  test("is granted to one process at a time, and to the next on release", async (api) => {
    const clock = virtualClock();
    const store = clock.waitsFor(api.store);
    const taken: number[] = [];
    let held = 0;
    await Promise.all(
      [1, 2, 3, 4].map(async (who) => {
        const lease = await acquireLease(store, name, clock, never, quiet);
        assert.ok(lease);
        assert.equal(++held, 1, "there is no other holder");
        taken.push(who);
        await clock.sleep(10_000, never);
        assert.equal(lease.lost.aborted, false);
        held--;
        await lease.release();
      }),
    );
    assert.deepEqual(taken.toSorted(), [1, 2, 3, 4]);
  });

  test("is taken over from a holder that has not renewed it for 15 seconds, and from no other", async (api) => {
    const clock = virtualClock();
    const store = clock.waitsFor(api.store);
    await store.setMetadata("mirror lease", stranger(0));
    const began = clock.time;
    const reported: string[] = [];
    let beat = 0;
    const renewing = (async () => {
      while (clock.time - began < 40_000) {
        await clock.sleep(3000, never);
        await store.setMetadata("mirror lease", stranger(++beat));
      }
    })();
    const lease = await acquireLease(store, name, clock, never, (holder) => reported.push(holder));
    await renewing;
    assert.ok(clock.time - began >= 55_000, `${clock.time - began} ms`);
    assert.deepEqual(reported, ["process 1 on elsewhere"]);
    await lease?.release();
  });

  test("is lost when another process takes it, and its release leaves the new holder alone", async (api) => {
    const clock = virtualClock();
    const store = clock.waitsFor(api.store);
    const lease = await acquireLease(store, name, clock, never, quiet);
    assert.ok(lease);
    await store.setMetadata("mirror lease", stranger(7));
    await new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
    await lease.release();
    assert.equal(await store.getMetadata("mirror lease"), stranger(7));
  });

  test("reports how long ago the previous holder may have sent a request", async (api) => {
    const clock = virtualClock();
    const store = clock.waitsFor(api.store);
    const first = await acquireLease(store, name, clock, never, quiet);
    assert.equal(first?.quietMs, Number.POSITIVE_INFINITY);
    await first?.release();
    clock.time += 500_000;
    const second = await acquireLease(store, name, clock, never, quiet);
    assert.ok((second?.quietMs ?? 0) >= 500_000 && (second?.quietMs ?? 0) < 600_000);
    await second?.release();
  });

  test("is not waited for after a stop", async (api) => {
    const stop = new AbortController();
    await api.store.setMetadata("mirror lease", stranger(0));
    const waiting = acquireLease(api.store, name, virtualClock(), stop.signal, () => stop.abort());
    assert.equal(await waiting, undefined);
  });
});
