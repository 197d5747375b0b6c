// Table of records: sticky header, rows that open, virtual scrolling; on a phone, cards.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useMedia } from "../use-media.ts";
import { type Card, CardCells, cardHeight } from "./card.tsx";
import { BodyCell, HeaderCell, type Sorting } from "./cells.tsx";
import type { Column } from "./column.tsx";
import { leastWidth, useFittingColumns } from "./fitting-columns.ts";
import { useMarks } from "./marks.ts";
import { usePrintScale } from "./print-scale.ts";
import { type Band, type Bands, bandHeight, stuckBand, topsOf } from "./row-positions.ts";
import { useScrollAnchor } from "./scroll-anchor.ts";
import { useScrollMemory } from "./scroll-memory.ts";
import { useSelectedRow } from "./selected-row.ts";
import { useVisibleRows } from "./visible-rows.ts";

export type { Sorting };

/** In pixels, as in the style sheet. */
const rowHeight = 30;

export type TableProps<R> = {
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  /** Columns that are left out where not all of them fit, the first one first; the table scrolls only without them. */
  readonly optional?: readonly string[];
  /** On a phone, instead of the columns. */
  readonly card?: Card<R> | undefined;
  /** A panel next to the table is open: on a tablet, cards as well. */
  readonly isSplit?: boolean;
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** On a click, or on Enter for the selected row. */
  readonly onOpen?: (row: R) => void;
  /** For the label of the button that opens the row. */
  readonly nameOf?: (row: R) => string;
  readonly openId?: string | undefined;
  readonly sortings?: Readonly<Record<string, Sorting>>;
  /** Tooltip of the columns without sorting: why they have none. */
  readonly unsorted?: string;
  /** Whether a row starts a new group, such as a day. */
  readonly startsGroup?: (row: R, before: R | undefined) => boolean;
  /** Lines between the rows. */
  readonly bands?: Bands;
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
  /** Called when the first visible row changes. */
  readonly onTop?: (index: number) => void;
  readonly footer?: ComponentChildren;
  /** The row that is visible first, a third of the way down. */
  readonly startAt?: number | undefined;
  /** Key to restore the scroll position. */
  readonly scrollKey?: string;
  /** Whether the table handles j, k, and Enter; only one table of a view may. */
  readonly keys?: boolean;
};

export function Table<R>(given: TableProps<R>) {
  const { caption, rows, idOf, onOpen, openId, bands, onEnd, onTop, footer, scrollKey, optional = [] } = given;
  const hasCards = useMedia(given.isSplit ? "(max-width: 1279px)" : "(max-width: 860px)");
  const card = hasCards ? given.card : undefined;
  const scroller = useRef<HTMLElement>(null);
  const columns = useFittingColumns(scroller, given.columns, optional, (column) => widthOf(column, given.sortings));
  const props = { ...given, columns };
  const height = card === undefined ? rowHeight : cardHeight;
  const tops = useMemo(() => topsOf(rows.length, height, bands), [rows.length, height, bands]);
  const { from, to, top } = useVisibleRows(scroller, tops);
  const openIndex = openId === undefined ? -1 : rows.findIndex((row) => idOf(row) === openId);
  const selected = useSelectedRow(scroller, { rows, tops, keys: props.keys === true, openIndex, onOpen });
  useScrollMemory(scroller, scrollKey, rows.length > 0, tops[props.startAt ?? 0]);
  useScrollAnchor(scroller, rows, tops, idOf);
  const markOf = useMarks();
  usePrintScale(scroller, rows.length, columns.length);
  // The next page is requested before its rows are reached.
  const nearEnd = to >= rows.length - 20;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, rows.length]);
  useEffect(() => onTop?.(top), [top]);
  const span = card === undefined ? columns.length + (onOpen === undefined ? 0 : 1) : 1;
  const stuck = stuckBand(bands, from);
  const before = (tops[from] ?? 0) - (stuck === undefined ? 0 : bandHeight);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section ref={scroller} class="table-scroll" tabIndex={0} aria-label={caption}>
      <table
        aria-rowcount={rows.length + 1}
        class={card !== undefined ? "cards" : columns.every(({ width }) => width !== undefined) ? "fixed" : ""}
        style={{ "--least": leastWidthText(props) }}
      >
        <caption class="hidden">{caption}</caption>
        {card === undefined && <Head {...props} />}
        <tbody>
          {stuck !== undefined && <BandRow band={stuck} span={span} />}
          {from > 0 && <Spacer height={before} />}
          {rows.slice(from, to).flatMap((row, offset) => {
            const index = from + offset;
            return [
              ...bandRows(bands?.get(index), span),
              <Row
                key={idOf(row)}
                {...props}
                layout={card}
                row={row}
                index={index}
                isSelected={index === selected}
                mark={markOf(idOf(row))}
              />,
            ];
          })}
          {to === rows.length && bandRows(bands?.get(to), span)}
          {to < rows.length && <Spacer height={(tops[rows.length] ?? 0) - (tops[to] ?? 0)} />}
        </tbody>
      </table>
      {footer !== undefined && <div class="table-foot">{footer}</div>}
    </section>
  );
}

/** At least that of the header; the arrow of a sortable column takes space, too. */
const widthOf = <R,>({ name, width = 0, label }: Column<R>, sortings: TableProps<R>["sortings"]): number =>
  Math.max(width, label.length + (sortings?.[name] === undefined ? 0 : 1.5));

const cellWidth = (characters: number): string => `calc(${characters}ch + 2 * var(--cell))`;

/** Below this width, the table scrolls horizontally. */
function leastWidthText<R>({ columns, sortings }: TableProps<R>): string {
  const [characters, paddings] = leastWidth(columns, (column) => widthOf(column, sortings));
  return `calc(${characters}ch + ${paddings} * var(--cell))`;
}

/** The column with the name of the record, for screen readers: the title of its card, or else the first one. */
const isNaming = <R,>({ name }: Column<R>, { columns, card }: TableProps<R>): boolean => {
  const title = card?.title[0]?.name;
  return name === (columns.some((column) => column.name === title) ? title : columns[0]?.name);
};

function Head<R>(props: TableProps<R>) {
  const { columns, onOpen, sortings = {}, unsorted } = props;
  return (
    <>
      <colgroup>
        {columns.map((column) => (
          <col
            key={column.name}
            {...(column.grow || column.width === undefined
              ? {}
              : { style: { width: cellWidth(widthOf(column, sortings)) } })}
          />
        ))}
        {onOpen !== undefined && <col class="opener" />}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <HeaderCell
              key={column.name}
              column={column as Column<never>}
              isNaming={isNaming(column, props)}
              sorting={sortings[column.name]}
              unsorted={unsorted}
            />
          ))}
          {onOpen !== undefined && (
            <th scope="col" class="opener">
              <span class="hidden">Details</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  );
}

type RowProps<R> = TableProps<R> & {
  /** The card, if the row is one. */
  readonly layout: Card<R> | undefined;
  readonly row: R;
  readonly index: number;
  readonly isSelected: boolean;
  readonly mark: string;
};

function Row<R>(props: RowProps<R>) {
  const { columns, layout, rows, row, index, idOf, nameOf, openId, onOpen, startsGroup, isSelected, mark } = props;
  const id = idOf(row);
  const classes = [
    startsGroup?.(row, rows[index - 1]) === true ? "group-start" : "",
    isSelected ? "selected" : "",
    id === openId ? "open" : "",
    onOpen === undefined ? "" : "opens",
    mark,
  ];
  return (
    <tr
      class={classes.filter((each) => each !== "").join(" ")}
      aria-rowindex={index + 2}
      data-index={index}
      tabIndex={-1}
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a, button") === null) onOpen?.(row);
      }}
    >
      {layout === undefined ? (
        columns.map((column) => (
          <BodyCell key={column.name} column={column} row={row} isNaming={isNaming(column, props)} />
        ))
      ) : (
        <CardCells card={layout} row={row} />
      )}
      {onOpen !== undefined && (
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
}

const bandRows = (bands: readonly Band[] = [], span: number) =>
  bands.map((band) => <BandRow key={band.id} band={band} span={span} />);

const BandRow = ({ band, span }: { readonly band: Band; readonly span: number }) => (
  <tr class={`band${band.sticks ? " sticks" : ""} ${band.class ?? ""}`}>
    <th scope="colgroup" colSpan={span}>
      {band.content}
    </th>
  </tr>
);

const Spacer = ({ height }: { readonly height: number }) => <tr class="gap" style={{ height: `${height}px` }} />;
