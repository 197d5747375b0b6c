// Random requests that do not repeat: a seeded shuffle of all the requests there could be, cut into one part a round.
import { Draw } from "../../demo/draw.ts";
import type { BenchRequest } from "../driver/request.ts";

/** Enough for the fastest server in the longest round; a longer list takes the driver longer to read. */
const mostInRound = 100_000;

/**
 * `make` gives the n-th of `count` different requests. No request is in two rounds of a run, so a server that keeps
 * answers gains nothing from having been asked before.
 */
export function distinct(
  name: string,
  count: number,
  make: (n: number, draw: Draw) => BenchRequest,
): (round: number, rounds: number) => readonly BenchRequest[] {
  let order: Uint32Array | undefined;
  return (round, rounds) => {
    order ??= shuffled(Draw.seeded(7).at(name), count);
    const length = Math.min(mostInRound, Math.floor(count / rounds));
    const part = order.subarray(round * length, (round + 1) * length);
    return Array.from(part, (n) => make(n, Draw.seeded(8).at(name, n)));
  };
}

/** The same request again and again, by a client that has the answer. */
export const known =
  (request: BenchRequest) =>
  async (_round: number, _rounds: number, origin: string): Promise<readonly BenchRequest[]> => {
    const tag = (await fetch(`${origin}${request.path}`)).headers.get("etag");
    if (tag === null) throw new Error("an answer came without an ETag");
    return [{ ...request, headers: { ...request.headers, "if-none-match": tag } }];
  };

/** The same request again and again. */
export const same = (request: BenchRequest) => (): readonly BenchRequest[] => [request];

function shuffled(draw: Draw, count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, n) => n);
  for (let last = count - 1; last > 0; last--) {
    const other = draw.int(0, last);
    const kept = order[last] as number;
    order[last] = order[other] as number;
    order[other] = kept;
  }
  return order;
}
