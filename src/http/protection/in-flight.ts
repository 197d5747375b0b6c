// In-flight responses, for graceful shutdown.
import type { ServerResponse } from "node:http";
import { SlotList } from "../../core/slot-list.ts";

export type InFlight = {
  /** Counts a response until it has been sent or its client has disconnected. */
  add(response: ServerResponse): void;
  /** Oldest first. */
  readonly responses: readonly ServerResponse[];
  readonly isDraining: boolean;
  /** Resolves when no response is in flight. */
  drain(): Promise<void>;
};

const slot = Symbol("slot");
type Tracked = ServerResponse & { [slot]?: number };

/** Node considers a connection idle while its client still has to read most of a response. */
export function trackInFlight(): InFlight {
  const slots = new SlotList<ServerResponse>();
  const whenDrained: (() => void)[] = [];
  let isDraining = false;
  function remove(this: Tracked): void {
    slots.remove(this[slot] as number);
    if (isDraining && slots.size === 0) for (const resolve of whenDrained) resolve();
  }
  return {
    get responses() {
      return slots.all();
    },
    add: (response: Tracked) => {
      if (response[slot] !== undefined) return;
      response[slot] = slots.add(response);
      response.on("close", remove);
    },
    get isDraining() {
      return isDraining;
    },
    drain: () => {
      isDraining = true;
      return slots.size === 0 ? Promise.resolve() : new Promise((resolve) => whenDrained.push(resolve));
    },
  };
}
