// The news beside a day: the newest first, as far back as the request reaches.

import { recordsOf } from "../../api/client.ts";
import type { Asked } from "../../api/use-response.ts";
import { shortDay } from "../../format/day.ts";
import { wireTime } from "../../format/wire-time.ts";
import { Notice } from "../../parts/notice.tsx";
import { type Item, TickerLink, textOf } from "../../parts/table/column.tsx";

/** Tickers shown with a headline; an item about a whole sector names dozens. */
const mostTickers = 3;

type Props = { readonly day: string; readonly asked: Asked };

export function LatestNews({ day, asked }: Props) {
  const items = recordsOf<Item>(asked.answer?.body);
  return (
    <div class="day-section day-news">
      <h2>
        <a href={`/news?dateTo=${day}`}>News</a>
      </h2>
      {asked.failure !== undefined && <Notice failure={asked.failure} again={asked.again} />}
      {asked.answer !== undefined && items.length === 0 && <p class="day-none">No news up to this day.</p>}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="headlines" tabIndex={0} aria-label="Headlines">
          <ol>
            {items.map((item, at) => (
              <Headline key={String(item.id)} item={item} day={day} before={items[at - 1]} />
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
}: {
  readonly item: Item;
  readonly day: string;
  readonly before: Item | undefined;
}) {
  const { day: published, clock } = wireTime(item.created);
  const begins = published !== (before === undefined ? day : wireTime(before.created).day);
  const stocks = (item.stocks ?? []) as readonly { readonly name: string }[];
  return (
    <li>
      {begins && <h3>{shortDay(published)}</h3>}
      <div class="headline">
        <time dateTime={`${published}T${clock}`}>{clock}</time>
        <span>
          <a href={`/news/${textOf(item.id)}`}>{textOf(item.title)}</a>{" "}
          {stocks.slice(0, mostTickers).map(({ name }) => (
            <span key={name} class="headline-ticker">
              <TickerLink symbol={name} />{" "}
            </span>
          ))}
          {stocks.length > mostTickers && <span class="faint">+{stocks.length - mostTickers}</span>}
        </span>
      </div>
    </li>
  );
}
