// Sort orders of the day view: by time, by importance, and by rating action.
import { type Item, textOf } from "../../parts/table/column.tsx";
import type { DayDisplay } from "./day-requests.ts";
import { type Session, sessionOf, sessions } from "./sessions.ts";

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const importanceOf = ({ importance }: Item): number => Number(importance) || 0;

const byTime = (left: Item, right: Item): number =>
  byText(textOf(left.time), textOf(right.time)) || importanceOf(right) - importanceOf(left);
const byImportance = (left: Item, right: Item): number =>
  importanceOf(right) - importanceOf(left) || byText(textOf(left.ticker), textOf(right.ticker));

/** Sort order of actions: changed ratings, new coverage, others, unchanged ratings. */
const weights: Readonly<Record<string, number>> = {
  Upgrades: 0,
  Downgrades: 0,
  "Initiates Coverage On": 1,
  Reinstates: 1,
  Maintains: 3,
  Reiterates: 3,
  "": 3,
};
const weightOf = ({ action_company }: Item): number => weights[textOf(action_company)] ?? 2;

/** Whether the rating is more than a confirmation of the previous one. */
export const isChange = (rating: Item): boolean => weightOf(rating) < 3;

const byWeight = (left: Item, right: Item): number => weightOf(left) - weightOf(right) || byImportance(left, right);

const orders = { time: byTime, weight: byWeight };

export const inOrder = ({ order }: Pick<DayDisplay, "order">, records: readonly Item[]): Item[] =>
  records.toSorted(order === undefined ? byImportance : orders[order]);

/** Without empty sessions. */
export function bySession(records: readonly Item[]): { readonly session: Session; readonly records: Item[] }[] {
  const ordered = inOrder({}, records);
  return sessions
    .map((session) => ({ session, records: ordered.filter(({ time }) => sessionOf(time) === session) }))
    .filter((group) => group.records.length > 0);
}
