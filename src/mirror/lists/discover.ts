// Discovers attributes that responses never show by requesting each filter value and seeing which records it matches.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Parameters, Upstream } from "../upstream/upstream.ts";
import { type ListEndpoint, recordId, type ScanResult, scanList } from "./scan.ts";

/** A filter and the values to request it with. */
export type AttributeProbe = {
  readonly parameter: string;
  readonly field: string;
  /** Whether a record may have several of the values. */
  readonly many: boolean;
  readonly values: readonly string[];
};

/** Parses `importance,content_types=story|report`: filters, with values where the filter has no fixed set of them. */
export function parseProbes(
  text: string,
  resources: readonly Resource[],
): ReadonlyMap<string, AttributeProbe[]> | undefined {
  const probes = new Map<string, AttributeProbe[]>();
  for (const item of text.split(",").map((each) => each.trim())) {
    if (item === "") continue;
    const [parameter = "", list] = item.split("=", 2).map((part) => part.trim());
    const listed = list
      ?.split("|")
      .map((value) => value.trim())
      .filter((value) => value !== "");
    const resource = resources.find(({ intake }) => Object.hasOwn(intake.discoverable, parameter));
    const known = resource?.intake.discoverable[parameter];
    const values = listed ?? known?.values ?? [];
    if (resource === undefined || known === undefined || values.length === 0) return undefined;
    const { field, many } = known;
    probes.set(resource.name, [...(probes.get(resource.name) ?? []), { parameter, field, many, values }]);
  }
  return probes;
}

/** Discovered attributes by record ID. */
type DiscoveredAttributes = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Scans the same records once per value of each filter. */
export async function discoverAttributes(
  request: Upstream["request"],
  list: ListEndpoint,
  parameters: Parameters,
  probes: readonly AttributeProbe[],
): Promise<DiscoveredAttributes | Exclude<ScanResult, { end: "complete" }>> {
  const discovered = new Map<string, Record<string, unknown>>();
  for (const { parameter, field, many, values } of probes) {
    for (const value of values) {
      const scan = await scanList(request, list, [...parameters, [parameter, value]], async ({ records }) => {
        for (const record of records) {
          const id = recordId(record);
          if (id === undefined) continue;
          const known = discovered.get(id) ?? {};
          const before = (known[field] ?? []) as readonly string[];
          known[field] = many ? [...new Set([...before, value])] : value;
          discovered.set(id, known);
        }
      });
      if (scan.end !== "complete") return scan;
    }
  }
  return discovered;
}

export function withDiscovered(record: unknown, discovered: DiscoveredAttributes): unknown {
  const known = discovered.get(recordId(record) ?? "");
  return known === undefined ? record : { ...(record as object), ...known };
}
