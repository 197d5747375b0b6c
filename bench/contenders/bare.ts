// The baseline: bare node:http that replays another server's responses, byte for byte.
import { join } from "node:path";
import type { BenchRequest } from "../driver/request.ts";
import { type Contender, startProcess } from "./contender.ts";

export type Lesson = { readonly origin: string; readonly requests: readonly BenchRequest[] };

export type Bare = Contender & {
  /** Records another server's responses to these requests. */
  learn(lesson: Lesson): Promise<void>;
};

/** Maximum of recorded responses; further requests get one of these. */
export const mostAnswers = 200;

export async function startBare(): Promise<Bare> {
  const started = await startProcess("bare", {
    args: [join(import.meta.dirname, "bare-process.ts")],
    messages: true,
  });
  return {
    ...started,
    learn: ({ origin, requests }) =>
      new Promise((resolve, reject) => {
        started.child.once("message", (problem: string) => (problem === "" ? resolve() : reject(new Error(problem))));
        started.child.send({ origin, requests: requests.slice(0, mostAnswers) } satisfies Lesson);
      }),
  };
}

export const isBare = (contender: Contender): contender is Bare => "learn" in contender;
