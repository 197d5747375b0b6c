// The request for the history of a record, as the display of its list describes it.
import type { HistorySource } from "../../../src/core/catalog/display.ts";
import type { Listing } from "../../api/document.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { today } from "../../api/settings.ts";
import { countries } from "../../format/countries.ts";
import { type Item, textOf } from "../../format/item.ts";

/** The largest page. */
const size = "1000";

/** Records up to today, or up to the record if it is in the future. */
export function historyRequest(
  { path, parameters, size: sizeName }: Listing,
  { filters, until }: HistorySource,
  record: Item,
  more: Readonly<Record<string, string>> = {},
): ApiRequest {
  const nameOf = (short: string): string => parameters.find((each) => each.short === short)?.name ?? short;
  const values = Object.entries(filters).map(([short, field]): [string, string] => [
    nameOf(short),
    short === "country" ? codeOf(textOf(record[field])) : textOf(record[field]),
  ]);
  const day = textOf(record.date);
  return get(path, [
    ...values.filter(([, value]) => value !== ""),
    [nameOf(until), day > today() ? day : today()],
    ...Object.entries(more).map(([short, value]): [string, string] => [nameOf(short), value]),
    [sizeName, size],
  ]);
}

/** Records have the name of a country, filters its code. */
const codeOf = (name: string): string => countries().find((each) => each.name === name)?.code ?? "";
