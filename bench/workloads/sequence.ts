// Random requests without repetition: a seeded shuffle of all possible requests, partitioned by round.
import { Draw } from "../../demo/draw.ts";
import type { BenchRequest } from "../driver/request.ts";

/** Enough for the fastest server in the longest round; longer lists slow down the load generator's startup. */
const mostInRound = 100_000;

/**
 * `make` returns the nth of `count` distinct requests. No request is in two rounds of a run, so that caches have no
 * effect.
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

/** The same request repeatedly, with the ETag of its response. */
export const known =
  (request: BenchRequest) =>
  async (_round: number, _rounds: number, origin: string): Promise<readonly BenchRequest[]> => {
    const tag = (await fetch(`${origin}${request.path}`)).headers.get("etag");
    if (tag === null) throw new Error("an answer came without an ETag");
    return [{ ...request, headers: { ...request.headers, "if-none-match": tag } }];
  };

/** The same request repeatedly. */
export const same = (request: BenchRequest) => (): readonly BenchRequest[] => [request];

function shuffled(draw: Draw, count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, n) => n);
  for (let last = count - 1; last > 0; last--) {
    const other = draw.int(0, last);
    const swapped = order[last] as number;
    order[last] = order[other] as number;
    order[other] = swapped;
  }
  return order;
}
