// Columns by name: fields of a list, formatted by kind or by name, and computed columns.
import type { Listing } from "../../api/document.ts";
import type { Card } from "../table/card.tsx";
import { type Column, columnOf, type Item } from "../table/column.tsx";
import { formats } from "./formats.tsx";

/** Without unknown names. */
export const columnsNamed = ({ fields, display }: Listing, names: readonly string[]): Column[] =>
  names.flatMap((name) => {
    const field = fields.find((each) => each.name === name);
    const format = formats[name];
    if (field === undefined && format === undefined) return [];
    const base = field === undefined ? { name, label: name, show: () => "" } : columnOf(field);
    const label = display.labels?.[name];
    return [{ ...base, ...format, ...(label === undefined ? {} : { label }) }];
  });

/** For phones; undefined for a list without one. `excluded` are columns that the view shows elsewhere, such as the day. */
export function cardOf(listing: Listing, excluded: readonly string[] = []): Card<Item> | undefined {
  const { card } = listing.display;
  if (card === undefined) return undefined;
  const columns = (names: readonly string[]) =>
    columnsNamed(
      listing,
      names.filter((name) => !excluded.includes(name)),
    );
  return {
    ...{ title: columns(card.title), when: columns(card.when) },
    ...{ about: columns(card.about), values: columns(card.values) },
  };
}
