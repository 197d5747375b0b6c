// Header cells and body cells of a table.
import type { ComponentChildren } from "preact";
import type { Column } from "./column.tsx";

/** State of a sortable column. */
export type Sorting = { readonly direction: "ascending" | "descending" | "none"; readonly toggle: () => void };

type HeaderProps = {
  readonly column: Column<never>;
  /** Its cells are the headers of their rows, and stay visible while the table scrolls. */
  readonly isNaming: boolean;
  readonly sorting: Sorting | undefined;
  /** Why the list can’t be sorted by some of its columns. */
  readonly unsorted: string | undefined;
};

export function HeaderCell({ column, isNaming, sorting, unsorted }: HeaderProps) {
  const { label, doc, align } = column;
  const arrow = { ascending: " ▲", descending: " ▼", none: "" };
  return (
    <th
      scope="col"
      class={`${align ?? ""}${isNaming ? " naming" : ""}`}
      title={[doc, sorting === undefined ? unsorted : undefined].filter((text) => text !== undefined).join("\n")}
      {...(sorting === undefined || sorting.direction === "none" ? {} : { "aria-sort": sorting.direction })}
    >
      {sorting === undefined ? (
        label
      ) : (
        <button type="button" class="sort" onClick={sorting.toggle}>
          {label}
          <span aria-hidden="true">{sorting.direction === "none" ? " ↕" : arrow[sorting.direction]}</span>
        </button>
      )}
    </th>
  );
}

type BodyProps<R> = { readonly column: Column<R>; readonly row: R; readonly isNaming: boolean };

export function BodyCell<R>({ column, row, isNaming }: BodyProps<R>) {
  const shown = column.show(row);
  // Truncated text can be read in the tooltip.
  const more = {
    class: classesOf(column, row),
    ...(typeof shown === "string" && shown.length * 0.9 > (column.width ?? Number.POSITIVE_INFINITY)
      ? { title: shown }
      : {}),
  };
  return isNaming ? (
    <th scope="row" {...more}>
      {shown}
    </th>
  ) : (
    <td {...more}>{valueOrDash(column, shown)}</td>
  );
}

/** Identifiers and addresses, which wrap anywhere on paper. */
const longWidth = 22;

export const classesOf = <R,>({ align, arrow, width = 0, tone }: Column<R>, row: R): string =>
  [align ?? "", arrow === true ? "arrow" : "", width >= longWidth ? "long" : "", tone?.(row) ?? ""]
    .filter((each) => each !== "")
    .join(" ");

/** A number that is unknown is a dash; missing text is blank. */
export const valueOrDash = <R,>({ align }: Column<R>, shown: ComponentChildren): ComponentChildren =>
  align === "end" && shown === "" ? <span class="faint">–</span> : shown;
