// The stream of several resources over one connection. Its position is that of each of them in the change log.
import { csvParameter, type Parameter } from "../catalog/parameter.ts";
import type { Resource } from "../catalog/resource.ts";
import { type StreamStart, sincePositions } from "./stream.ts";
import { streamPosition } from "./stream-position.ts";

export const combinedPath = "/api/v1/stream";

/** By the name of a resource. */
type Positions = ReadonlyMap<string, number>;

export type CombinedStart = StreamStart | { readonly database: string; readonly positions: Positions };

/** The position of a single stream if all are the same, as after a heartbeat. */
export function combinedPosition(database: string, positions: Positions): string {
  const [first = 0, ...others] = positions.values();
  if (others.every((each) => each === first)) return streamPosition(database, first);
  return `${database}.${Array.from(positions, ([name, seq]) => `${name}:${seq}`).join(",")}`;
}

function parseCombinedPosition(text: string): CombinedStart | undefined {
  const single = sincePositions.parse(text);
  if (single !== undefined) return single;
  const [, database = "", list] = /^([\w-]+)\.([a-z][a-z-]*:\d{1,15}(?:,[a-z][a-z-]*:\d{1,15})*)$/.exec(text) ?? [];
  if (list === undefined) return undefined;
  const positions = list.split(",").map((each): [string, number] => {
    const [name = "", seq] = each.split(":");
    return [name, Number(seq)];
  });
  return { database, positions: new Map(positions) };
}

/** A resource that the position doesn't name starts with the oldest of the others: nothing is missed. */
export function startFor(start: CombinedStart | undefined, resource: Resource): StreamStart | undefined {
  if (start === undefined || start === "start" || !("positions" in start)) return start;
  const { database, positions } = start;
  return { database, seq: positions.get(resource.name) ?? Math.min(...positions.values()) };
}

export const combinedSince: Parameter<CombinedStart> = {
  ...sincePositions,
  parse: parseCombinedPosition,
  valid: [...sincePositions.valid, "0a1b2c3d4e5f.news:42,ratings:40"],
  invalid: [...sincePositions.invalid, "0a1b2c3d4e5f.news:42,", "0a1b2c3d4e5f.news:x"],
  echoLimit: 256,
};

export const combinedParameters = (catalog: readonly Resource[]) => ({
  resources: csvParameter("resources", "Names of resources; default all that the key may read", {
    what: `names of resources (${catalog.map(({ name }) => name).join(", ")})`,
    normalize: (name) => catalog.find((each) => each.name === name)?.name,
    example: catalog
      .slice(0, 2)
      .map(({ name }) => name)
      .join(","),
  }),
  since: combinedSince,
});
