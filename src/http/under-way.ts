// Answers under way, so that a stop can wait for them.
import type { ServerResponse } from "node:http";

export type UnderWay = {
  /** Counts an answer until it has been handed to the system, or its client is gone. */
  add(response: ServerResponse): void;
  /** The oldest first. */
  readonly responses: Iterable<ServerResponse>;
  readonly isDraining: boolean;
  /** From now on nothing new should begin; resolves when nothing is under way. */
  drain(): Promise<void>;
};

/** Counted here, since Node.js takes a connection for idle while its client still has to read most of an answer. */
export function answersUnderWay(): UnderWay {
  const responses = new Set<ServerResponse>();
  const whenDrained: (() => void)[] = [];
  let isDraining = false;
  function remove(this: ServerResponse): void {
    responses.delete(this);
    if (isDraining && responses.size === 0) for (const resolve of whenDrained) resolve();
  }
  return {
    responses,
    add: (response) => {
      if (responses.has(response)) return;
      responses.add(response);
      response.on("close", remove);
    },
    get isDraining() {
      return isDraining;
    },
    drain: () => {
      isDraining = true;
      return responses.size === 0 ? Promise.resolve() : new Promise((resolve) => whenDrained.push(resolve));
    },
  };
}
