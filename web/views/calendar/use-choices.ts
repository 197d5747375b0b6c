// Values that filters can be chosen from: looked up where the API has a list of them, else those of the records in sight.

import { useMemo } from "preact/hooks";
import { recordsOf } from "../../api/client.ts";
import { type Listing, type Parameter, recordText } from "../../api/document.ts";
import { get } from "../../api/request.ts";
import { useAnswer } from "../../api/use-response.ts";
import type { Suggestion } from "../../parts/filters/control.tsx";
import { type Item, textOf } from "../../parts/table/column.tsx";

const most = "1000";

/** Records that are looked through for values; a list of thousands would be no help. */
const mostRead = 300;

/** By short name of the filter. Lists are asked for once they are `wanted`. */
export function useChoices(
  { path: listPath, display: { choices = {} } }: Listing,
  filters: readonly Parameter[],
  records: readonly Item[],
  wanted: boolean,
): Record<string, readonly Suggestion[] | undefined> {
  const paths = [...new Set(Object.values(choices).map(({ path }) => path))];
  const below = (path: string | undefined): string | undefined => path && `${listPath}/${path}`;
  const answers = [useList(below(paths[0]), wanted), useList(below(paths[1]), wanted)];
  const looked = Object.entries(choices).map(([short, { path, text }]): [string, readonly Suggestion[]] => [
    short,
    (answers[paths.indexOf(path)] ?? []).map((item) => ({ value: textOf(item.id), label: recordText(text, item) })),
  ]);
  const isLong = records.length >= mostRead;
  const seen = useMemo(() => valuesSeen(filters, records.slice(0, mostRead)), [isLong || records, filters.length]);
  return { ...Object.fromEntries(seen), ...Object.fromEntries(looked) };
}

/** What records hold for the filters that take a list of values. */
function valuesSeen(filters: readonly Parameter[], records: readonly Item[]): [string, readonly Suggestion[]][] {
  return filters.flatMap(({ short, schema }): [string, readonly Suggestion[]][] => {
    if (schema.type !== "array" || schema.items?.enum !== undefined) return [];
    const field = [short, short.replace(/s$/, "")].find((name) => records[0]?.[name] !== undefined);
    if (field === undefined) return [];
    const values = new Set(records.map((record) => textOf(record[field])).filter((value) => value !== ""));
    return [[short, [...values].sort().map((value) => ({ value, label: value }))]];
  });
}

function useList(path: string | undefined, wanted: boolean): readonly Item[] {
  const { answer } = useAnswer(path === undefined || !wanted ? undefined : get(path, [["pagesize", most]]));
  return recordsOf<Item>(answer?.body);
}
