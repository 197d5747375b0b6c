// Answers under way, so that a stop can wait for them.
import type { ServerResponse } from "node:http";
import { SlotList } from "../../core/slot-list.ts";

export type InFlight = {
  /** Counts an answer until it has been handed to the system, or its client is gone. */
  add(response: ServerResponse): void;
  /** The oldest first. */
  readonly responses: readonly ServerResponse[];
  readonly isDraining: boolean;
  /** From now on nothing new should begin; resolves when nothing is under way. */
  drain(): Promise<void>;
};

/** Where an answer stands among those under way. */
const place = Symbol("place");
type Placed = ServerResponse & { [place]?: number };

/** Counted here, since Node.js takes a connection for idle while its client still has to read most of an answer. */
export function trackInFlight(): InFlight {
  const places = new SlotList<ServerResponse>();
  const whenDrained: (() => void)[] = [];
  let isDraining = false;
  function remove(this: Placed): void {
    places.remove(this[place] as number);
    if (isDraining && places.size === 0) for (const resolve of whenDrained) resolve();
  }
  return {
    get responses() {
      return places.all();
    },
    add: (response: Placed) => {
      if (response[place] !== undefined) return;
      response[place] = places.add(response);
      response.on("close", remove);
    },
    get isDraining() {
      return isDraining;
    },
    drain: () => {
      isDraining = true;
      return places.size === 0 ? Promise.resolve() : new Promise((resolve) => whenDrained.push(resolve));
    },
  };
}
