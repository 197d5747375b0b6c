// The news of a company, newest first.
import { recordsOf } from "../../api/client.ts";
import { timestampIn } from "../../api/time-zone.ts";
import { dayText } from "../../format/day.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import { type Item, textOf } from "../../parts/table/column.tsx";

export function TickerNews({ symbol, source }: { readonly symbol: string; readonly source: DataSource }) {
  const items = recordsOf<Item>(source.result.response?.body);
  const href = `/news?tickers=${encodeURIComponent(symbol)}`;
  const isEmpty = source.result.response !== undefined && items.length === 0;
  return (
    <Section name="ticker-news" title="News" source={source} href={href} about={isEmpty ? "No news." : ""}>
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
        <section class="ticker-headlines" tabIndex={0} aria-label={`Headlines about ${symbol}`}>
          <ol>
            {items.map((item, at) => (
              <Headline key={textOf(item.id)} item={item} before={items[at - 1]} />
            ))}
          </ol>
          {source.result.response?.next !== undefined && (
            <p>
              <a href={href}>More news</a>
            </p>
          )}
        </section>
      )}
    </Section>
  );
}

function Headline({ item, before }: { readonly item: Item; readonly before: Item | undefined }) {
  const { day, clock } = timestampIn(item.created);
  const startsDay = before === undefined || timestampIn(before.created).day !== day;
  return (
    <li>
      {startsDay && <h3>{dayText(day)}</h3>}
      <time dateTime={`${day}T${clock}`}>{clock}</time> <a href={`/news/${textOf(item.id)}`}>{textOf(item.title)}</a>
    </li>
  );
}
