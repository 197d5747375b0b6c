// News as a wire: one item a line, newest first, of any length; a search has a second line that shows what was found.
import { useEffect, useRef, useState } from "preact/hooks";
import { shortDay } from "../../format/day.ts";
import type { Phrase } from "../../format/marks.ts";
import { wireTime } from "../../format/wire-time.ts";
import { Marked } from "../../parts/record/highlight.tsx";
import { TickerLink } from "../../parts/table/column.tsx";
import { useScrollMemory } from "../../parts/table/scroll-memory.ts";
import { useChosenRow } from "../../parts/table/selected-row.ts";
import { useWindow } from "../../parts/table/visible-rows.ts";
import { matchIn, type NewsItem } from "./item.ts";

type Props = {
  readonly items: readonly NewsItem[];
  /** What is searched for; empty: no search. */
  readonly phrases: readonly Phrase[];
  readonly openId: string | undefined;
  readonly onOpen: (item: NewsItem) => void;
  readonly onEnd: () => void;
  readonly memory: string;
  readonly foot: string;
};

/** Heights of a line in pixels, as the style sheet has them: wide and narrow windows, with and without a search. */
const heights = { wide: 30, wideSearch: 54, narrow: 64, narrowSearch: 88 };

const narrowWindow = "(max-width: 860px)";

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => window.matchMedia(narrowWindow).matches);
  useEffect(() => {
    const query = window.matchMedia(narrowWindow);
    const follow = () => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return narrow;
}

export function Wire({ items, phrases, openId, onOpen, onEnd, memory, foot }: Props) {
  const narrow = useNarrow();
  const isSearch = phrases.length > 0;
  const rowHeight = heights[`${narrow ? "narrow" : "wide"}${isSearch ? "Search" : ""}`];
  const scroller = useRef<HTMLElement>(null);
  const { from, to } = useWindow(scroller, items.length, rowHeight);
  const onMove = openId === undefined ? undefined : onOpen;
  const chosen = useChosenRow(scroller, { rows: items, rowHeight, keys: true, onOpen, onMove });
  useScrollMemory(scroller, memory, items.length > 0);
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
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
            state={String(item.id) === openId ? "open" : from + offset === chosen ? "chosen" : ""}
            onOpen={onOpen}
          />
        ))}
      </ol>
      <p ref={end} class="wire-foot" role="status">
        {foot}
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

/** Shown of what may be dozens. */
const mostTickers = 4;
const mostChannels = 3;

function Line({ item, index, total, phrases, before, state, onOpen }: LineProps) {
  const { id, title, created, stocks, channels } = item;
  const { day, clock } = wireTime(created);
  const begins = before === undefined || wireTime(before.created).day !== day;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the line has a link for the keyboard
    <li
      class={`line ${state}${begins ? " begins" : ""}`}
      data-index={index}
      tabIndex={-1}
      aria-posinset={index + 1}
      aria-setsize={total}
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a") === null) onOpen(item);
      }}
    >
      <time dateTime={`${day}T${clock}`}>
        <span class={begins ? "line-day" : "line-day again"}>{shortDay(day)}</span> {clock}
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
        <Marked text={title} phrases={phrases} />
      </a>
      <span class="line-tickers">
        {stocks.slice(0, mostTickers).map(({ name }) => (
          <TickerLink key={name} symbol={name} />
        ))}
        {stocks.length > mostTickers && <span class="faint">+{stocks.length - mostTickers}</span>}
      </span>
      <span class="line-channels">
        {channels
          .slice(0, mostChannels)
          .map(({ name }) => name)
          .join(", ")}
      </span>
      {phrases.length > 0 && <Matches item={item} phrases={phrases} />}
    </li>
  );
}

/** In which places the words were found, with the tags and the passage that hold them. */
function Matches({ item, phrases }: { readonly item: NewsItem; readonly phrases: readonly Phrase[] }) {
  const { places, tags, passage } = matchIn(item, phrases);
  return (
    <span class="line-match">
      {places.map((place) => (
        <span key={place} class="place">
          in {place}
        </span>
      ))}
      {tags.map((tag) => (
        <span key={tag} class="match-tag">
          <Marked text={tag} phrases={phrases} />
        </span>
      ))}
      {passage !== undefined && (
        <span class="match-passage">
          <Marked text={passage} phrases={phrases} />
        </span>
      )}
    </span>
  );
}
