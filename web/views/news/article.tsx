// News item: headline, date, author, tickers, channels, tags, image, and body.
import type { ComponentChildren } from "preact";
import { timestampText } from "../../api/time-zone.ts";
import type { Phrase } from "../../format/marks.ts";
import { Highlighted } from "../../parts/record/highlight.tsx";
import { SafeBody, SafeImage } from "../../parts/record/safe-body.tsx";
import { ExternalLink, TickerLink } from "../../parts/table/column.tsx";
import type { NewsItem } from "./item.ts";

type Props = {
  readonly item: NewsItem;
  readonly phrases?: readonly Phrase[];
  /** If the headline is already the title of the view. */
  readonly hideTitle?: boolean;
};

export function Article({ item, phrases = [], hideTitle = false }: Props) {
  const { title, body, teaser, url } = item;
  const image = largest(item);
  return (
    <article class="article">
      {!hideTitle && (
        <h2>
          <Highlighted text={title} phrases={phrases} />
        </h2>
      )}
      <Byline item={item} />
      <Terms item={item} phrases={phrases} />
      {image !== undefined && (
        <p class="article-image">
          <SafeImage src={image.url} alt={image.size} />
        </p>
      )}
      {body !== "" ? (
        <SafeBody html={body} phrases={phrases} />
      ) : teaser !== "" ? (
        <SafeBody html={teaser} phrases={phrases} />
      ) : (
        <p class="faint">Headline only.</p>
      )}
      {url !== "" && (
        <p class="article-source">
          <ExternalLink href={url}>Source</ExternalLink>
        </p>
      )}
    </article>
  );
}

function Byline({ item: { created, updated, author } }: { readonly item: NewsItem }) {
  return (
    <p class="article-about">
      <time title={created}>{timestampText(created)}</time>
      {author !== "" && (
        <>
          {" · "}
          <a href={`/news?authors=${encodeURIComponent(author)}`}>{author}</a>
        </>
      )}
      {timestampText(updated) !== timestampText(created) && (
        <span title={updated}> · updated {timestampText(updated)}</span>
      )}
    </p>
  );
}

type TermsProps = { readonly item: NewsItem; readonly phrases: readonly Phrase[] };

function Terms({ item: { stocks, channels, tags }, phrases }: TermsProps) {
  return (
    <>
      <TermList title="Tickers">
        {stocks.map(({ name, exchange }) => (
          <span key={name} title={exchange}>
            <TickerLink symbol={name} />
          </span>
        ))}
      </TermList>
      <TermList title="Channels">
        {channels.map(({ name }) => (
          <a key={name} href={`/news?channels=${encodeURIComponent(name)}`}>
            {name}
          </a>
        ))}
      </TermList>
      <TermList title="Tags">
        {tags.map(({ name }) => (
          <a key={name} href={`/news?topics=${encodeURIComponent(name)}`}>
            <Highlighted text={name} phrases={phrases} />
          </a>
        ))}
      </TermList>
    </>
  );
}

function TermList({ title, children }: { readonly title: string; readonly children: ComponentChildren[] }) {
  if (children.length === 0) return null;
  return (
    <p class="terms">
      <span class="faint">{title}</span> {children}
    </p>
  );
}

const sizes = ["large", "small", "thumb"];

const largest = ({ image }: NewsItem): NewsItem["image"][number] | undefined =>
  image.toSorted((left, right) => rankOf(left.size) - rankOf(right.size))[0];
const rankOf = (size: string): number => (sizes.includes(size) ? sizes.indexOf(size) : sizes.length);
