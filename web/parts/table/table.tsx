// A table of records: head that stays, numbers in line, rows that open, any number of rows.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Column } from "./column.tsx";
import { useScrollMemory } from "./scroll-memory.ts";
import { useChosenRow } from "./selected-row.ts";
import { useWindow } from "./visible-rows.ts";

/** Height of a row in pixels, as the style sheet has it. */
const rowHeight = 30;

/** How a column is ordered now, and what a press on its head would do; a column without is not sorted by. */
export type Sorting = { readonly direction: "ascending" | "descending" | "none"; readonly toggle: () => void };

export type TableProps<R> = {
  /** What the table shows, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** Opens a row: by a click, by Enter on the row that j and k have chosen. */
  readonly onOpen?: (row: R) => void;
  /** Name of a row, for the button that opens it. */
  readonly nameOf?: (row: R) => string;
  readonly openId?: string | undefined;
  readonly sortings?: Readonly<Record<string, Sorting>>;
  /** Whether a row begins something new, such as a day. */
  readonly begins?: (row: R, before: R | undefined) => boolean;
  /** Called when the end comes into sight. */
  readonly onEnd?: () => void;
  /** Called with the first row in sight, when it has changed. */
  readonly onTop?: (index: number) => void;
  readonly foot?: ComponentChildren;
  /** Where one had scrolled is remembered under this name. */
  readonly memory?: string;
  /** Whether the table answers to j, k and Enter; one table of a view does. */
  readonly keys?: boolean;
};

export function Table<R>(props: TableProps<R>) {
  const {
    caption,
    columns,
    rows,
    idOf,
    onOpen,
    nameOf,
    openId,
    sortings = {},
    begins,
    onEnd,
    onTop,
    foot,
    memory,
  } = props;
  const scroller = useRef<HTMLElement>(null);
  const { from, to, top } = useWindow(scroller, rows.length, rowHeight);
  const chosen = useChosenRow(scroller, { rows, rowHeight, keys: props.keys === true, onOpen });
  useScrollMemory(scroller, memory, rows.length > 0);
  // A page more is asked for before its rows are reached.
  const nearEnd = to >= rows.length - 20;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, rows.length]);
  useEffect(() => onTop?.(top), [top]);
  const opens = onOpen !== undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={scroller} class="table-scroll" tabIndex={0} aria-label={caption}>
      <table aria-rowcount={rows.length + 1}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.name} column={column as Column<never>} sorting={sortings[column.name]} />
            ))}
            {opens && (
              <th scope="col" class="opener">
                <span class="hidden">Details</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {from > 0 && <Gap height={from * rowHeight} />}
          {rows.slice(from, to).map((row, offset) => {
            const index = from + offset;
            const id = idOf(row);
            const classes = [
              begins?.(row, rows[index - 1]) === true ? "begins" : "",
              index === chosen ? "chosen" : "",
              id === openId ? "open" : "",
              opens ? "opens" : "",
            ];
            return (
              <tr
                key={id}
                class={classes.filter((each) => each !== "").join(" ")}
                aria-rowindex={index + 2}
                data-index={index}
                tabIndex={-1}
                onClick={(event) => {
                  if (!(event.target instanceof Element) || event.target.closest("a, button") === null) onOpen?.(row);
                }}
              >
                {columns.map((column, at) => (
                  <Cell key={column.name} column={column} row={row} isFirst={at === 0} />
                ))}
                {opens && (
                  <td class="opener">
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Details of ${nameOf?.(row) ?? id}`}
                      onClick={() => onOpen(row)}
                    >
                      ›
                    </button>
                  </td>
                )}
              </tr>
            );
          })}
          {to < rows.length && <Gap height={(rows.length - to) * rowHeight} />}
        </tbody>
      </table>
      {foot !== undefined && <div class="table-foot">{foot}</div>}
    </section>
  );
}

function Head({ column, sorting }: { readonly column: Column<never>; readonly sorting: Sorting | undefined }) {
  const { label, doc, align } = column;
  const arrow = { ascending: " ▲", descending: " ▼", none: "" };
  return (
    <th
      scope="col"
      class={align ?? ""}
      title={doc}
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

function Cell<R>({ column, row, isFirst }: { readonly column: Column<R>; readonly row: R; readonly isFirst: boolean }) {
  const { align, tone, arrow, most, show } = column;
  const shown = show(row);
  const content =
    most === undefined ? (
      shown
    ) : (
      <span class="cut" style={{ "--most": `${most}ch` }} {...(typeof shown === "string" ? { title: shown } : {})}>
        {shown}
      </span>
    );
  const classes = [align ?? "", arrow === true ? "arrow" : "", tone?.(row) ?? ""]
    .filter((each) => each !== "")
    .join(" ");
  return isFirst ? (
    <th scope="row" class={classes}>
      {content}
    </th>
  ) : (
    <td class={classes}>{content}</td>
  );
}

const Gap = ({ height }: { readonly height: number }) => <tr class="gap" style={{ height: `${height}px` }} />;
