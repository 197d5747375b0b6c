// One news item: headline, when and by whom, what it is about, its image and its text.
import type { ComponentChildren } from "preact";
import { settings } from "../../api/settings.ts";
import { useCell } from "../../app/signal.ts";
import { shortDay } from "../../format/day.ts";
import type { Phrase } from "../../format/marks.ts";
import { wireTime } from "../../format/wire-time.ts";
import { Marked } from "../../parts/record/highlight.tsx";
import { Picture, SafeBody } from "../../parts/record/safe-body.tsx";
import { Outside, TickerLink } from "../../parts/table/column.tsx";
import type { NewsItem } from "./item.ts";

type Props = {
  readonly item: NewsItem;
  readonly phrases?: readonly Phrase[];
  /** Where the headline stands above already. */
  readonly untitled?: boolean;
};

export function Article({ item, phrases = [], untitled = false }: Props) {
  const { zone } = useCell(settings);
  const { title, created, updated, author, stocks, channels, tags, body, teaser, url } = item;
  const image = largest(item);
  return (
    <article class="article">
      {!untitled && (
        <h2>
          <Marked text={title} phrases={phrases} />
        </h2>
      )}
      <p class="article-about">
        <time title={`${created} (${zone})`}>{momentOf(created)}</time>
        {author !== "" && (
          <>
            {" · "}
            <a href={`/news?authors=${encodeURIComponent(author)}`}>{author}</a>
          </>
        )}
        {momentOf(updated) !== momentOf(created) && <span title={updated}> · updated {momentOf(updated)}</span>}
      </p>
      <Terms title="Tickers">
        {stocks.map(({ name, exchange }) => (
          <span key={name} title={exchange}>
            <TickerLink symbol={name} />
          </span>
        ))}
      </Terms>
      <Terms title="Channels">
        {channels.map(({ name }) => (
          <a key={name} href={`/news?channels=${encodeURIComponent(name)}`}>
            {name}
          </a>
        ))}
      </Terms>
      <Terms title="Tags">
        {tags.map(({ name }) => (
          <a key={name} href={`/news?topics=${encodeURIComponent(name)}`}>
            <Marked text={name} phrases={phrases} />
          </a>
        ))}
      </Terms>
      {image !== undefined && (
        <p class="article-image">
          <Picture src={image.url} alt={image.size} />
        </p>
      )}
      {body !== "" ? (
        <SafeBody html={body} phrases={phrases} />
      ) : teaser !== "" ? (
        <SafeBody html={teaser} phrases={phrases} />
      ) : (
        <p class="faint">This item is a headline without text.</p>
      )}
      {url !== "" && (
        <p class="article-source">
          <Outside href={url}>Source</Outside>
        </p>
      )}
    </article>
  );
}

function Terms({ title, children }: { readonly title: string; readonly children: ComponentChildren[] }) {
  if (children.length === 0) return null;
  return (
    <p class="terms">
      <span class="faint">{title}</span> {children}
    </p>
  );
}

const sizes = ["large", "small", "thumb"];

const largest = ({ image }: NewsItem): NewsItem["image"][number] | undefined =>
  image.toSorted((left, right) => place(left.size) - place(right.size))[0];
const place = (size: string): number => (sizes.includes(size) ? sizes.indexOf(size) : sizes.length);

function momentOf(printed: string): string {
  const { day, clock } = wireTime(printed);
  return day === "" ? printed : `${shortDay(day)}, ${day.slice(0, 4)}, ${clock}`;
}
