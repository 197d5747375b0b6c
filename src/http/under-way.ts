// Answers under way, so that a stop can wait for them.
import type { ServerResponse } from "node:http";

export type UnderWay = {
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

/**
 * Counted here, since Node.js takes a connection for idle while its client still has to read most of an answer. They stand
 * in places that are used again: a Set that is added to and taken from all the time makes itself anew after every few
 * dozen answers, and what it leaves behind keeps answers alive until the whole heap is collected.
 */
export function answersUnderWay(): UnderWay {
  const standing: (ServerResponse | undefined)[] = [];
  /** How many had come before the one in each place. */
  const turns: number[] = [];
  const free: number[] = [];
  const whenDrained: (() => void)[] = [];
  let isDraining = false;
  let come = 0;
  const isNone = () => free.length === standing.length;
  function remove(this: Placed): void {
    const left = this[place] as number;
    standing[left] = undefined;
    free.push(left);
    if (isDraining && isNone()) for (const resolve of whenDrained) resolve();
  }
  return {
    get responses() {
      const taken = [...standing.keys()].filter((at) => standing[at] !== undefined);
      taken.sort((a, b) => (turns[a] as number) - (turns[b] as number));
      return taken.map((at) => standing[at] as ServerResponse);
    },
    add: (response: Placed) => {
      if (response[place] !== undefined) return;
      const at = free.pop() ?? standing.length;
      response[place] = at;
      standing[at] = response;
      turns[at] = come++;
      response.on("close", remove);
    },
    get isDraining() {
      return isDraining;
    },
    drain: () => {
      isDraining = true;
      return isNone() ? Promise.resolve() : new Promise((resolve) => whenDrained.push(resolve));
    },
  };
}
