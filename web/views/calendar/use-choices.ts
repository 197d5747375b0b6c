// Suggestions for filters: from the API's list of values if there is one, else from the loaded records.

import { useMemo } from "preact/hooks";
import { recordsOf } from "../../api/client.ts";
import { type Listing, type Parameter, recordText } from "../../api/document.ts";
import { get } from "../../api/request.ts";
import { useResponse } from "../../api/use-response.ts";
import type { Suggestion } from "../../parts/filters/options.tsx";
import { type Item, textOf } from "../../parts/table/column.tsx";

const pageSize = "1000";

/** Records scanned for values; thousands of suggestions wouldn't help. */
const maxScanned = 300;

/** By short name of the filter. Lists are fetched once `isNeeded`. */
export function useChoices(
  { path: listPath, display: { choices = {} } }: Listing,
  filters: readonly Parameter[],
  records: readonly Item[],
  isNeeded: boolean,
): Record<string, readonly Suggestion[] | undefined> {
  const paths = [...new Set(Object.values(choices).map(({ path }) => path))];
  const below = (path: string | undefined): string | undefined => path && `${listPath}/${path}`;
  const responses = [useList(below(paths[0]), isNeeded), useList(below(paths[1]), isNeeded)];
  const lookedUp = Object.entries(choices).map(([short, { path, text }]): [string, readonly Suggestion[]] => [
    short,
    (responses[paths.indexOf(path)] ?? []).map((item) => ({ value: textOf(item.id), label: recordText(text, item) })),
  ]);
  const isLong = records.length >= maxScanned;
  const inRecords = useMemo(
    () => valuesInRecords(filters, records.slice(0, maxScanned)),
    [isLong || records, filters.length],
  );
  return { ...Object.fromEntries(inRecords), ...Object.fromEntries(lookedUp) };
}

/** Values in the records, for filters that accept a list. */
function valuesInRecords(filters: readonly Parameter[], records: readonly Item[]): [string, readonly Suggestion[]][] {
  return filters.flatMap(({ short, schema }): [string, readonly Suggestion[]][] => {
    if (schema.type !== "array" || schema.items?.enum !== undefined) return [];
    const field = [short, short.replace(/s$/, "")].find((name) => records[0]?.[name] !== undefined);
    if (field === undefined) return [];
    const values = new Set(records.map((record) => textOf(record[field])).filter((value) => value !== ""));
    return [[short, [...values].sort().map((value) => ({ value, label: value }))]];
  });
}

function useList(path: string | undefined, isNeeded: boolean): readonly Item[] {
  const { response } = useResponse(path === undefined || !isNeeded ? undefined : get(path, [["pagesize", pageSize]]));
  return recordsOf<Item>(response?.body);
}
