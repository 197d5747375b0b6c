// Table of records: sticky header, rows that open, virtual scrolling.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Column } from "./column.tsx";
import { useScrollMemory } from "./scroll-memory.ts";
import { useSelectedRow } from "./selected-row.ts";
import { useVisibleRows } from "./visible-rows.ts";

/** In pixels, as in the style sheet. */
const rowHeight = 30;

/** State of a sortable column. */
export type Sorting = { readonly direction: "ascending" | "descending" | "none"; readonly toggle: () => void };

export type TableProps<R> = {
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** On a click, or on Enter for the selected row. */
  readonly onOpen?: (row: R) => void;
  /** For the label of the button that opens the row. */
  readonly nameOf?: (row: R) => string;
  readonly openId?: string | undefined;
  readonly sortings?: Readonly<Record<string, Sorting>>;
  /** Whether a row starts a new group, such as a day. */
  readonly startsGroup?: (row: R, before: R | undefined) => boolean;
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
  /** Called when the first visible row changes. */
  readonly onTop?: (index: number) => void;
  readonly footer?: ComponentChildren;
  /** Key to restore the scroll position. */
  readonly scrollKey?: string;
  /** Whether the table handles j, k, and Enter; only one table of a view may. */
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
    startsGroup,
    onEnd,
    onTop,
    footer,
    scrollKey,
  } = props;
  const scroller = useRef<HTMLElement>(null);
  const { from, to, top } = useVisibleRows(scroller, rows.length, rowHeight);
  const openIndex = openId === undefined ? -1 : rows.findIndex((row) => idOf(row) === openId);
  const selected = useSelectedRow(scroller, { rows, rowHeight, keys: props.keys === true, openIndex, onOpen });
  useScrollMemory(scroller, scrollKey, rows.length > 0);
  // The next page is requested before its rows are reached.
  const nearEnd = to >= rows.length - 20;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, rows.length]);
  useEffect(() => onTop?.(top), [top]);
  const opens = onOpen !== undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section ref={scroller} class="table-scroll" tabIndex={0} aria-label={caption}>
      <table aria-rowcount={rows.length + 1}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell key={column.name} column={column as Column<never>} sorting={sortings[column.name]} />
            ))}
            {opens && (
              <th scope="col" class="opener">
                <span class="hidden">Details</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {from > 0 && <Spacer height={from * rowHeight} />}
          {rows.slice(from, to).map((row, offset) => {
            const index = from + offset;
            const id = idOf(row);
            const classes = [
              startsGroup?.(row, rows[index - 1]) === true ? "group-start" : "",
              index === selected ? "selected" : "",
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
                  <BodyCell key={column.name} column={column} row={row} isFirst={at === 0} />
                ))}
                {opens && (
                  <td class="opener">
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Details: ${nameOf?.(row) ?? id}`}
                      onClick={() => onOpen(row)}
                    >
                      ›
                    </button>
                  </td>
                )}
              </tr>
            );
          })}
          {to < rows.length && <Spacer height={(rows.length - to) * rowHeight} />}
        </tbody>
      </table>
      {footer !== undefined && <div class="table-foot">{footer}</div>}
    </section>
  );
}

function HeaderCell({ column, sorting }: { readonly column: Column<never>; readonly sorting: Sorting | undefined }) {
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

function BodyCell<R>({
  column,
  row,
  isFirst,
}: {
  readonly column: Column<R>;
  readonly row: R;
  readonly isFirst: boolean;
}) {
  const { align, tone, arrow, maxWidth, show } = column;
  const shown = show(row);
  const content =
    maxWidth === undefined ? (
      shown
    ) : (
      <span
        class="cut"
        style={{ "--max-chars": `${maxWidth}ch` }}
        {...(typeof shown === "string" ? { title: shown } : {})}
      >
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

const Spacer = ({ height }: { readonly height: number }) => <tr class="gap" style={{ height: `${height}px` }} />;
