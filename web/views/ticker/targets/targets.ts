// Price targets of a company: ratings by firm, when each target is active, and the mean of active targets.
import { addDays } from "../../../format/day.ts";
import { type Item, textOf } from "../../../format/item.ts";
import { numberOf } from "../../../format/number.ts";

export type Rating = {
  readonly id: string;
  /** ID of the firm, or its name if it has none. */
  readonly firm: string;
  readonly firmName: string;
  readonly day: string;
  /** Adjusted for splits if known; undefined without a target. */
  readonly target: number | undefined;
  readonly before: number | undefined;
  /** Whether the firm drops coverage. */
  readonly endsCoverage: boolean;
  readonly record: Item;
};

/** A target and the days on which it is active; `to` is exclusive, and tomorrow for a current target. */
export type ActiveTarget = { readonly from: string; readonly to: string; readonly value: number };

export type Firm = {
  readonly firm: string;
  readonly name: string;
  /** Oldest first. */
  readonly ratings: readonly Rating[];
  readonly activeTargets: readonly ActiveTarget[];
  /** The current target. */
  readonly target: number | undefined;
};

/** A target expires unless the firm publishes another rating within this time. */
export const targetLifetimeDays = 365;

const coverageEndings = new Set(["Terminates Coverage On", "Suspends", "Removes", "Firm Dissolved"]);

/** Oldest first. */
export function ratingsOf(records: readonly Item[]): Rating[] {
  return records
    .map((record) => ({
      id: textOf(record.id),
      firm: textOf(record.firm_id) || textOf(record.analyst),
      firmName: textOf(record.analyst) || "Unnamed firm",
      day: textOf(record.date),
      time: textOf(record.time),
      target: numberOf(record.adjusted_pt_current) ?? numberOf(record.pt_current),
      before: numberOf(record.adjusted_pt_prior) ?? numberOf(record.pt_prior),
      endsCoverage: coverageEndings.has(textOf(record.action_company)),
      record,
    }))
    .sort((a, b) => (`${a.day} ${a.time}` < `${b.day} ${b.time}` ? -1 : 1));
}

/** By latest rating, newest first. */
export function firmsOf(ratings: readonly Rating[], today: string): Firm[] {
  const byFirm = Map.groupBy(ratings, ({ firm }) => firm);
  return [...byFirm]
    .map(([firm, firmRatings]) => {
      const activeTargets = activeTargetsOf(firmRatings, today);
      const last = activeTargets.at(-1);
      return {
        firm,
        name: firmRatings.at(-1)?.firmName ?? firm,
        ratings: firmRatings,
        activeTargets,
        target: last !== undefined && last.to > today ? last.value : undefined,
      };
    })
    .sort((a, b) => ((a.ratings.at(-1)?.day ?? "") < (b.ratings.at(-1)?.day ?? "") ? 1 : -1));
}

/** A rating without a target renews the active one. */
function activeTargetsOf(ratings: readonly Rating[], today: string): ActiveTarget[] {
  const activeTargets: ActiveTarget[] = [];
  let value: number | undefined;
  for (const [at, rating] of ratings.entries()) {
    const isExpired = (activeTargets.at(-1)?.to ?? "") < rating.day;
    value = rating.endsCoverage ? undefined : (rating.target ?? (isExpired ? undefined : value));
    const tomorrow = addDays(today, 1);
    const to = [
      addDays(rating.day, targetLifetimeDays),
      ratings[at + 1]?.day ?? tomorrow,
      tomorrow,
    ].sort()[0] as string;
    const isLastOfDay = ratings[at + 1]?.day !== rating.day;
    if (value !== undefined && isLastOfDay && rating.day <= today) activeTargets.push({ from: rating.day, to, value });
  }
  return activeTargets;
}

export type Point = { readonly day: string; readonly value: number };
export type Mean = { readonly day: string; readonly mean: number | undefined };

export type ChartData = {
  readonly lines: readonly {
    readonly firm: string;
    readonly runs: readonly (readonly Point[])[];
    readonly ratings: readonly Rating[];
  }[];
  readonly means: readonly Mean[];
};

export const chartDataOf = (firms: readonly Firm[], today: string): ChartData => ({
  lines: firms.map(({ firm, activeTargets, ratings }) => ({ firm, runs: runsOf(activeTargets, today), ratings })),
  means: meansOf(firms, today),
});

/** Stepped lines: consecutive targets without gaps, up to today. */
export function runsOf(activeTargets: readonly ActiveTarget[], today: string): Point[][] {
  const runs: Point[][] = [];
  for (const [at, { from, to, value }] of activeTargets.entries()) {
    const run = activeTargets[at - 1]?.to === from ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([{ day: from, value }]);
    else run.push({ day: from, value });
    const end = to > today ? today : to;
    if (activeTargets[at + 1]?.from !== to && end > from) runs.at(-1)?.push({ day: end, value });
  }
  return runs;
}

/** Mean of the active targets on every day from the first; undefined on days without any. */
export function meansOf(firms: readonly Firm[], today: string): Mean[] {
  const activeTargets = firms.flatMap((firm) => firm.activeTargets);
  if (activeTargets.length === 0) return [];
  /** Changes of sum and count by day. */
  const changes = new Map<string, { sum: number; count: number }>();
  const addChange = (day: string, sum: number, count: number) => {
    const change = changes.get(day) ?? { sum: 0, count: 0 };
    changes.set(day, { sum: change.sum + sum, count: change.count + count });
  };
  let first = today;
  for (const { from, to, value } of activeTargets) {
    if (from < first) first = from;
    addChange(from, value, 1);
    addChange(to, -value, -1);
  }
  const means: Mean[] = [];
  let [sum, count] = [0, 0];
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const change = changes.get(day);
    sum += change?.sum ?? 0;
    count += change?.count ?? 0;
    means.push({ day, mean: count === 0 ? undefined : sum / count });
  }
  return means;
}
