// News as a wire, with every filter of the endpoint, search with its matches, and the item that is read beside it.
import { recordsOf } from "../../api/client.ts";
import { useDocument, useListing } from "../../api/document.ts";
import { filtersOf, requestOf } from "../../api/filters.ts";
import { get, withParams } from "../../api/request.ts";
import { usePages } from "../../api/use-pages.ts";
import { useAnswer } from "../../api/use-response.ts";
import { changeQuery, usePlace } from "../../app/location.ts";
import { phrasesOf } from "../../format/marks.ts";
import { plural } from "../../format/words.ts";
import type { Call } from "../../parts/api-panel.tsx";
import { FilterForm } from "../../parts/filters/filter-form.tsx";
import { type Aside, Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Article } from "./article.tsx";
import type { NewsItem } from "./item.ts";
import { useNewer } from "./use-newer.ts";
import { useNewsItem } from "./use-news-item.ts";
import { Wire } from "./wire.tsx";
import "./news.css";

/** How much is shown of each item is the view's own business. */
const decided = ["displayOutput", "format"];

/** A search needs the texts, to show where it found something. */
const perPage = { wire: 100, search: 30 };
const withTexts = { displayOutput: "full", format: "text" };

export function NewsView() {
  const listing = useListing("news");
  const channelsPath = useDocument()?.paths.listNewsChannels;
  const channelsRequest = channelsPath === undefined ? undefined : get(channelsPath);
  const { query, entry } = usePlace();
  const phrases = phrasesOf(query.get("topics") ?? "");
  const isSearch = phrases.length > 0;
  const filters = listing === undefined ? [] : filtersOf(listing, decided);
  const plain =
    listing === undefined ? undefined : requestOf(listing, query, isSearch ? perPage.search : perPage.wire, filters);
  const request = plain !== undefined && isSearch ? withParams(plain, withTexts) : plain;
  const pages = usePages<NewsItem>(request);
  const { records, first, failure, loading, done, more, again } = pages;
  const isNewestFirst = !isSearch && !["sort", "updatedSince", "publishedSince"].some((name) => query.has(name));
  const newer = useNewer(isNewestFirst ? request : undefined, records[0]);
  const channels = useAnswer(channelsRequest);
  const reading = useReading();
  const calls: Call[] = [
    ...(request === undefined ? [] : [{ title: "News", request, body: first?.body }]),
    ...reading.calls,
    ...(channelsRequest === undefined
      ? []
      : [{ title: "Channels", request: channelsRequest, body: channels.answer?.body }]),
  ];
  return (
    <Frame
      title="News"
      calls={calls}
      aside={reading.aside}
      full
      about={records.length === 0 ? undefined : `${plural(records.length, "item")}${done ? "" : " so far"}`}
      actions={
        newer > 0 && (
          <button type="button" class="primary" onClick={again}>
            Show {plural(newer, "new item")}
          </button>
        )
      }
    >
      <FilterForm
        filters={filters}
        first={listing?.display.filters ?? []}
        failure={failure}
        suggestions={{
          channels: recordsOf<{ readonly name: string }>(channels.answer?.body).map(({ name }) => ({
            value: name,
            label: name,
          })),
        }}
      />
      {failure !== undefined && <Notice failure={failure} again={again} />}
      {records.length === 0 && done && <p class="empty">No news item meets these filters.</p>}
      <Wire
        items={records}
        phrases={phrases}
        openId={reading.id}
        onOpen={(item) => reading.open(String(item.id))}
        onEnd={more}
        memory={entry}
        foot={loading ? "Loading…" : done && records.length > 0 ? "That is all." : ""}
      />
    </Frame>
  );
}

type Reading = {
  readonly id: string | undefined;
  readonly open: (id: string) => void;
  readonly aside: Aside | undefined;
  readonly calls: readonly Call[];
};

/** The item that the address names, `item=ID`, beside the wire. */
function useReading(): Reading {
  const { query } = usePlace();
  const id = query.get("item") ?? undefined;
  const phrases = phrasesOf(query.get("topics") ?? "");
  const { request, asked, item } = useNewsItem(id);
  const { answer, failure, loading, again } = asked;
  const content =
    failure !== undefined ? (
      <Notice failure={failure} again={again} />
    ) : item !== undefined ? (
      <Article item={item} phrases={phrases} />
    ) : (
      <p class="faint">{loading ? "Loading…" : `There is no news item ${id}. It may have been removed.`}</p>
    );
  return {
    id,
    // Going from one item to the next leaves one entry of the history: going back closes what is read.
    open: (chosen) => changeQuery({ item: chosen }, { replace: id !== undefined }),
    aside:
      id === undefined
        ? undefined
        : {
            title: "News item",
            content: (
              <>
                {content}
                <p>
                  <a href={`/news/${id}`}>On a page of its own</a>
                </p>
              </>
            ),
            onClose: () => changeQuery({ item: undefined }, { replace: true }),
          },
    calls: request === undefined ? [] : [{ title: "News item", request, body: answer?.body }],
  };
}
