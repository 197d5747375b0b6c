// A record on a phone, where a table doesn't fit: a card with its name, its main facts, and its values.

import { classesOf, valueOrDash } from "./cells.tsx";
import type { Column } from "./column.tsx";

/** Columns of a card, which are shown without labels, except for the values. */
export type Card<R> = {
  readonly title: readonly Column<R>[];
  readonly when: readonly Column<R>[];
  readonly about: readonly Column<R>[];
  readonly values: readonly Column<R>[];
};

type CardNames = Readonly<{ title: string[]; when: string[]; about?: string[]; values: string[] }>;

/** Of some columns of a table, by their names. */
export function cardOf<R>(columns: readonly Column<R>[], { title, when, about = [], values }: CardNames): Card<R> {
  const named = (names: readonly string[]) => names.flatMap((name) => columns.filter((column) => column.name === name));
  return { title: named(title), when: named(when), about: named(about), values: named(values) };
}

/** In pixels, as in the style sheet. */
export const cardHeight = 84;

export function CardCells<R>({ card, row }: { readonly card: Card<R>; readonly row: R }) {
  return (
    <>
      <th scope="row" class="card-title">
        {card.title.map((column) => (
          <Fact key={column.name} column={column} row={row} />
        ))}
      </th>
      <td class="card-when">
        {card.when.map((column) => (
          <Fact key={column.name} column={column} row={row} />
        ))}
      </td>
      <td class="card-about">
        {card.about.map((column) => (
          <Fact key={column.name} column={column} row={row} />
        ))}
      </td>
      <td class="card-values">
        {card.values.map((column) => (
          <span key={column.name} class="card-value" style={{ flexGrow: column.width ?? 10 }}>
            <span class="card-label">{column.label}</span>
            <span class={classesOf(column, row)}>{valueOrDash({ ...column, align: "end" }, column.show(row))}</span>
          </span>
        ))}
      </td>
    </>
  );
}

function Fact<R>({ column, row }: { readonly column: Column<R>; readonly row: R }) {
  const shown = column.show(row);
  return shown === "" || shown === null ? null : <span>{shown}</span>;
}
