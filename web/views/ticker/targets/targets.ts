// Price targets of one company: what each firm has said, for how long it stands, and the mean of what stands.
import { addDays } from "../../../format/day.ts";
import { type Item, textOf } from "../../../format/item.ts";
import { numberOf } from "../../../format/number.ts";

/** One word of a firm. */
export type Word = {
  readonly id: string;
  /** The firm, for comparison: its identifier, or its name where it has none. */
  readonly firm: string;
  readonly firmName: string;
  readonly day: string;
  /** Adjusted for splits, where that is known; undefined when none was given. */
  readonly target: number | undefined;
  readonly before: number | undefined;
  /** Whether the firm has ceased to cover the company. */
  readonly ends: boolean;
  readonly record: Item;
};

/** A target that stands from a day up to another, which is not included: that after today for what stands now. */
export type Standing = { readonly from: string; readonly to: string; readonly value: number };

export type Firm = {
  readonly firm: string;
  readonly name: string;
  /** Oldest first. */
  readonly words: readonly Word[];
  readonly standings: readonly Standing[];
  /** The target that stands now. */
  readonly target: number | undefined;
};

/** Days after which a firm that has said nothing more is no longer counted. */
export const standsFor = 365;

const endings = new Set(["Terminates Coverage On", "Suspends", "Removes", "Firm Dissolved"]);

/** Oldest first. */
export function wordsOf(records: readonly Item[]): Word[] {
  return records
    .map((record) => ({
      id: textOf(record.id),
      firm: textOf(record.firm_id) || textOf(record.analyst),
      firmName: textOf(record.analyst) || "Unnamed firm",
      day: textOf(record.date),
      time: textOf(record.time),
      target: numberOf(record.adjusted_pt_current) ?? numberOf(record.pt_current),
      before: numberOf(record.adjusted_pt_prior) ?? numberOf(record.pt_prior),
      ends: endings.has(textOf(record.action_company)),
      record,
    }))
    .sort((a, b) => (`${a.day} ${a.time}` < `${b.day} ${b.time}` ? -1 : 1));
}

/** All firms; the one that has spoken last comes first. */
export function firmsOf(words: readonly Word[], today: string): Firm[] {
  const byFirm = Map.groupBy(words, ({ firm }) => firm);
  return [...byFirm]
    .map(([firm, said]) => {
      const standings = standingsOf(said, today);
      const last = standings.at(-1);
      return {
        firm,
        name: said.at(-1)?.firmName ?? firm,
        words: said,
        standings,
        target: last !== undefined && last.to > today ? last.value : undefined,
      };
    })
    .sort((a, b) => ((a.words.at(-1)?.day ?? "") < (b.words.at(-1)?.day ?? "") ? 1 : -1));
}

/** What is said without a target renews the one that stands. */
function standingsOf(words: readonly Word[], today: string): Standing[] {
  const standings: Standing[] = [];
  let value: number | undefined;
  for (const [at, word] of words.entries()) {
    const isForgotten = (standings.at(-1)?.to ?? "") < word.day;
    value = word.ends ? undefined : (word.target ?? (isForgotten ? undefined : value));
    const tomorrow = addDays(today, 1);
    const to = [addDays(word.day, standsFor), words[at + 1]?.day ?? tomorrow, tomorrow].sort()[0] as string;
    const isLastOfDay = words[at + 1]?.day !== word.day;
    if (value !== undefined && isLastOfDay && word.day <= today) standings.push({ from: word.day, to, value });
  }
  return standings;
}

export type Point = { readonly day: string; readonly value: number };
export type Mean = { readonly day: string; readonly mean: number | undefined };

/** All that a picture of the targets is drawn from. */
export type Drawing = {
  readonly lines: readonly {
    readonly firm: string;
    readonly runs: readonly (readonly Point[])[];
    readonly words: readonly Word[];
  }[];
  readonly means: readonly Mean[];
};

export const drawingOf = (firms: readonly Firm[], today: string): Drawing => ({
  lines: firms.map(({ firm, standings, words }) => ({ firm, runs: runsOf(standings, today), words })),
  means: meansOf(firms, today),
});

/** Standings that follow each other without a gap, as points of a stepped line that ends today at the latest. */
export function runsOf(standings: readonly Standing[], today: string): Point[][] {
  const runs: Point[][] = [];
  for (const [at, { from, to, value }] of standings.entries()) {
    const run = standings[at - 1]?.to === from ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([{ day: from, value }]);
    else run.push({ day: from, value });
    const end = to > today ? today : to;
    if (standings[at + 1]?.from !== to && end > from) runs.at(-1)?.push({ day: end, value });
  }
  return runs;
}

/** The mean of the targets that stand, for every day from the first; undefined where none does. */
export function meansOf(firms: readonly Firm[], today: string): Mean[] {
  const standings = firms.flatMap((firm) => firm.standings);
  if (standings.length === 0) return [];
  /** What the sum and the count change by on a day. */
  const changes = new Map<string, { sum: number; count: number }>();
  const note = (day: string, sum: number, count: number) => {
    const change = changes.get(day) ?? { sum: 0, count: 0 };
    changes.set(day, { sum: change.sum + sum, count: change.count + count });
  };
  let first = today;
  for (const { from, to, value } of standings) {
    if (from < first) first = from;
    note(from, value, 1);
    note(to, -value, -1);
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
