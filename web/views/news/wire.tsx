// News wire: an infinite list with one line per item, and a second one for search matches.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { timestampIn } from "../../api/time-zone.ts";
import { shortDay } from "../../format/day.ts";
import type { Phrase } from "../../format/marks.ts";
import { Highlighted } from "../../parts/record/highlight.tsx";
import { TickerLink } from "../../parts/table/column.tsx";
import { useMarks } from "../../parts/table/marks.ts";
import { topsOf } from "../../parts/table/row-positions.ts";
import { useScrollAnchor } from "../../parts/table/scroll-anchor.ts";
import { useScrollMemory } from "../../parts/table/scroll-memory.ts";
import { useSelectedRow } from "../../parts/table/selected-row.ts";
import { useVisibleRows } from "../../parts/table/visible-rows.ts";
import { useMedia } from "../../parts/use-media.ts";
import { matchIn, type NewsItem } from "./item.ts";

type Props = {
  readonly items: readonly NewsItem[];
  /** Empty without a search. */
  readonly phrases: readonly Phrase[];
  readonly openId: string | undefined;
  readonly onOpen: (item: NewsItem) => void;
  readonly onEnd: () => void;
  readonly scrollKey: string;
  readonly footer: string;
};

/** Row heights in pixels, as in the style sheet. */
const heights = { wide: 30, wideSearch: 54, narrow: 64, narrowSearch: 88 };

const narrowWindow = "(max-width: 860px)";

export function Wire({ items, phrases, openId, onOpen, onEnd, scrollKey, footer }: Props) {
  const narrow = useMedia(narrowWindow);
  const isSearch = phrases.length > 0;
  const rowHeight = heights[`${narrow ? "narrow" : "wide"}${isSearch ? "Search" : ""}`];
  const scroller = useRef<HTMLElement>(null);
  const tops = useMemo(() => topsOf(items.length, rowHeight), [items.length, rowHeight]);
  const { from, to } = useVisibleRows(scroller, tops);
  const openIndex = items.findIndex(({ id }) => String(id) === openId);
  const selected = useSelectedRow(scroller, { rows: items, tops, keys: true, openIndex, onOpen });
  useScrollMemory(scroller, scrollKey, items.length > 0);
  useScrollAnchor(scroller, items, tops, ({ id }) => String(id));
  const markOf = useMarks();
  const end = useRef<HTMLParagraphElement>(null);
  const reach = useRef(onEnd);
  reach.current = onEnd;
  useEffect(() => {
    if (end.current === null || items.length === 0) return;
    const watched = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && reach.current(), {
      root: scroller.current,
      rootMargin: "600px",
    });
    watched.observe(end.current);
    return () => watched.disconnect();
  }, [items.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section ref={scroller} class={`wire${isSearch ? " search-wire" : ""}`} tabIndex={0} aria-label="News items">
      <ol
        style={{ paddingTop: `${from * rowHeight}px`, paddingBottom: `${(items.length - to) * rowHeight}px` }}
        start={from + 1}
      >
        {items.slice(from, to).map((item, offset) => (
          <Line
            key={item.id}
            item={item}
            index={from + offset}
            total={items.length}
            phrases={phrases}
            before={items[from + offset - 1]}
            state={`${markOf(String(item.id))} ${String(item.id) === openId ? "open" : from + offset === selected ? "selected" : ""}`}
            onOpen={onOpen}
          />
        ))}
      </ol>
      <p ref={end} class="wire-foot" role="status">
        {footer}
      </p>
    </section>
  );
}

type LineProps = {
  readonly item: NewsItem;
  readonly index: number;
  readonly total: number;
  readonly phrases: readonly Phrase[];
  readonly before: NewsItem | undefined;
  readonly state: string;
  readonly onOpen: (item: NewsItem) => void;
};

/** An item may have dozens. */
const maxTickers = 4;
const maxChannels = 3;

function Line({ item, index, total, phrases, before, state, onOpen }: LineProps) {
  const { id, title, created, stocks, channels } = item;
  const { day, clock } = timestampIn(created);
  const startsDay = before === undefined || timestampIn(before.created).day !== day;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the link is the keyboard alternative
    <li
      class={`line ${state}${startsDay ? " day-start" : ""}`}
      data-index={index}
      tabIndex={-1}
      aria-posinset={index + 1}
      aria-setsize={total}
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a") === null) onOpen(item);
      }}
    >
      <time dateTime={`${day}T${clock}`}>
        <span class={startsDay ? "line-day" : "line-day repeated"}>{shortDay(day)}</span> {clock}
      </time>
      <a
        class="line-title"
        href={`/news/${id}`}
        title={title}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          onOpen(item);
        }}
      >
        <Highlighted text={title} phrases={phrases} />
      </a>
      <span class="line-tickers">
        {stocks.slice(0, maxTickers).map(({ name }) => (
          <TickerLink key={name} symbol={name} />
        ))}
        {stocks.length > maxTickers && <span class="faint">+{stocks.length - maxTickers}</span>}
      </span>
      <span class="line-channels">
        {channels
          .slice(0, maxChannels)
          .map(({ name }) => name)
          .join(", ")}
      </span>
      {phrases.length > 0 && <Matches item={item} phrases={phrases} />}
    </li>
  );
}

/** Matching fields and tags, and an excerpt of the body. */
function Matches({ item, phrases }: { readonly item: NewsItem; readonly phrases: readonly Phrase[] }) {
  const { fields, tags, excerpt } = matchIn(item, phrases);
  return (
    <span class="line-match">
      {fields.map((field) => (
        <span key={field} class="match-field">
          in {field}
        </span>
      ))}
      {tags.map((tag) => (
        <span key={tag} class="match-tag">
          <Highlighted text={tag} phrases={phrases} />
        </span>
      ))}
      {excerpt !== undefined && (
        <span class="match-passage">
          <Highlighted text={excerpt} phrases={phrases} />
        </span>
      )}
    </span>
  );
}
