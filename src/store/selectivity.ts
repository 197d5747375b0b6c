// Which of a plan's links to begin with: the one that leaves the fewest records, or none where a walk along the order
// finds a page sooner than all records of a link could be sorted.
import type { Condition, Plan } from "../core/plan.ts";
import { keyDirection } from "./walks.ts";

export type Link = Extract<Condition, { op: "linked" }>;

/** A link that names at least this many records is common. */
const common = 4000;

/** Counts the records of a link, up to a limit. */
export type CountLink = (link: Link, limit: number) => number | Promise<number>;

export async function drivingLink(plan: Plan, count: CountLink): Promise<Link | undefined> {
  const links = plan.where.filter((condition) => condition.op === "linked");
  // The keys of a link are stored in their own order, however many they are.
  const isInOrder = keyDirection(plan) !== undefined;
  if (links.length === 0 || (links.length === 1 && isInOrder)) return links[0];
  const counted = await Promise.all(links.map(async (link) => ({ link, records: await count(link, common) })));
  // Of equally common ones the one with fewer values: its keys need no merging.
  const [rarest] = counted.sort((a, b) => a.records - b.records || a.link.values.length - b.link.values.length);
  return isInOrder || (rarest?.records ?? 0) < common ? rarest?.link : undefined;
}
