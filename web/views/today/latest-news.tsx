// Latest news in the day view, newest first.

import { recordsOf } from "../../api/client.ts";
import { timestampIn } from "../../api/time-zone.ts";
import type { FetchResult } from "../../api/use-response.ts";
import { shortDay } from "../../format/day.ts";
import { Notice } from "../../parts/notice.tsx";
import { type Item, TickerLink, textOf } from "../../parts/table/column.tsx";
import { useMarks } from "../../parts/table/marks.ts";

/** An item about a whole sector may have dozens. */
const maxTickers = 3;

type Props = { readonly day: string; readonly result: FetchResult };

export function LatestNews({ day, result }: Props) {
  const items = recordsOf<Item>(result.response?.body);
  const markOf = useMarks();
  return (
    <div class="day-section day-news">
      <h2>
        <a href={`/news?dateTo=${day}`}>News</a>
      </h2>
      {result.failure !== undefined && <Notice failure={result.failure} refetch={result.refetch} />}
      {result.response !== undefined && items.length === 0 && <p class="day-none">No news on or before this day.</p>}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
        <section class="headlines" tabIndex={0} aria-label="Headlines">
          <ol>
            {items.map((item, at) => (
              <Headline
                key={String(item.id)}
                item={item}
                day={day}
                before={items[at - 1]}
                mark={markOf(textOf(item.id))}
              />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Headline({
  item,
  day,
  before,
  mark,
}: {
  readonly item: Item;
  readonly day: string;
  readonly before: Item | undefined;
  readonly mark: string;
}) {
  const { day: published, clock } = timestampIn(item.created);
  const startsDay = published !== (before === undefined ? day : timestampIn(before.created).day);
  const stocks = (item.stocks ?? []) as readonly { readonly name: string }[];
  return (
    <li>
      {startsDay && <h3>{shortDay(published)}</h3>}
      <div class={`headline ${mark}`}>
        <time dateTime={`${published}T${clock}`}>{clock}</time>
        <span>
          <a href={`/news/${textOf(item.id)}`}>{textOf(item.title)}</a>{" "}
          {stocks.slice(0, maxTickers).map(({ name }) => (
            <span key={name} class="headline-ticker">
              <TickerLink symbol={name} />{" "}
            </span>
          ))}
          {stocks.length > maxTickers && <span class="faint">+{stocks.length - maxTickers}</span>}
        </span>
      </div>
    </li>
  );
}
