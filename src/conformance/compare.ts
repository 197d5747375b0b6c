// Compares the records of a response with the expected ones, and describes the first difference.
import type { WireRecord } from "../core/record/row.ts";

type Difference = { readonly message: string; readonly expected?: string; readonly received?: string };

export function difference(expected: readonly WireRecord[], received: readonly WireRecord[]): Difference | undefined {
  const [wanted, found] = [expected.map(idOf), received.map(idOf)];
  const ids = { expected: listed(wanted), received: listed(found) };
  const missing = wanted.filter((id) => !found.includes(id));
  const surplus = found.filter((id) => !wanted.includes(id));
  if (missing.length > 0 && surplus.length === 0)
    return { message: `${counted(missing.length, "missing ")}: ${listed(missing)}`, ...ids };
  if (surplus.length > 0 && missing.length === 0)
    return { message: `${counted(surplus.length, "unexpected ")}: ${listed(surplus)}`, ...ids };
  if (missing.length > 0) return { message: "different records than expected", ...ids };
  if (wanted.length !== found.length) return { message: "a record appears twice", ...ids };
  const moved = wanted.findIndex((id, at) => id !== found[at]);
  if (moved !== -1) return { message: `different order from record ${moved + 1} on`, ...ids };
  for (const [at, record] of expected.entries()) {
    const member = differentMember(record, received[at] ?? {});
    if (member !== undefined) {
      return {
        message: `different ${member} in record ${wanted[at]}`,
        expected: shown(record[member]),
        received: shown(received[at]?.[member]),
      };
    }
  }
  return undefined;
}

function differentMember(one: WireRecord, other: WireRecord): string | undefined {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].find((name) => canonical(one[name]) !== canonical(other[name]));
}

/** Equal for equal values, whatever the order of their members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? "nothing";

const idOf = (record: WireRecord): string => canonical(record.id ?? record);
const counted = (count: number, kind: string): string => `${count} ${kind}${count === 1 ? "record" : "records"}`;
const maxListed = 6;
const listed = (ids: readonly string[]): string =>
  ids.length === 0
    ? "none"
    : `${ids.slice(0, maxListed).join(", ")}${ids.length > maxListed ? `, … (${ids.length} records)` : ""}`;

const maxShown = 200;

export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? JSON.stringify(value) : canonical(value);
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}
