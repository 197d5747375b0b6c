// A mirror of a Bellwire server, on a virtual clock, in the process of the test.
import assert from "node:assert/strict";
import { heartbeatMs } from "../../../src/lease/lease.ts";
import { type MirrorOptions, mirror } from "../../../src/mirror/mirror.ts";
import { type MirrorStatus, mirrorStatus } from "../../../src/mirror/status.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { type RecordInput, resourceNamed } from "../../support/clients/api.ts";
import { type Listening, listening } from "../../support/clients/listening.ts";
import { rowsOf } from "../../support/requests/requests.ts";
import type { ReceivedRequest } from "./fake-upstream.ts";
import { runOptions } from "./foreign.ts";
import { exports } from "./identical.ts";
import { type Between, proxy } from "./proxy.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

export type Setting = {
  readonly upstream: Listening;
  readonly between: Between;
  readonly clock: VirtualClock;
  readonly logged: string[];
  has(resource: string, records: readonly RecordInput[]): Promise<void>;
  /** Runs the mirror once; returns its failures and the requests it sent. */
  once(options?: Partial<MirrorOptions>): Promise<{ failures: readonly string[]; requests: string[] }>;
  status(): Promise<MirrorStatus>;
  same(): Promise<void>;
};

export const printed = ({ path, query }: ReceivedRequest): string => `${path}?${query}`;

/** A Bellwire server as the upstream, behind a proxy, and a mirror of it into a store. */
export async function mirroringBellwire(
  { store }: { store: Store },
  run: (setting: Setting) => Promise<void>,
): Promise<void> {
  await listening(async (upstream) => {
    const between = await proxy(`http://127.0.0.1:${upstream.port}`);
    const clock = virtualClock(undefined, heartbeatMs);
    const token = await upstream.key({ scopes: ["read", "replicate"] });
    const logged: string[] = [];
    try {
      await run({
        upstream,
        between,
        clock,
        logged,
        has: async (name, records) => {
          const resource = resourceNamed(name);
          await upstream.store.put(
            resource,
            rowsOf(resource, records).map((row) => ({ row, stamped: false })),
          );
        },
        once: async (options) => {
          const before = between.requests.length;
          const failures = await mirror({
            store,
            resources: catalog,
            base: between.url,
            token,
            tokenIn: "auto",
            ...runOptions(clock, logged),
            reconcile: { days: 0, everySeconds: 1 },
            ...options,
          });
          return { failures, requests: between.requests.slice(before).map(printed) };
        },
        status: async () => {
          const status = await mirrorStatus(store, catalog, clock.time / 1000);
          assert.ok(status);
          return status;
        },
        same: async () => assert.deepEqual(await exports(store), await exports(upstream.store)),
      });
    } finally {
      await between.close();
    }
  });
}
