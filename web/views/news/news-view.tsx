// News view: the wire with all filters and search, and the selected item in the side panel.
import { recordsOf } from "../../api/client.ts";
import { useDocument, useListing } from "../../api/document.ts";
import { filtersOf, requestOf } from "../../api/filters.ts";
import { get, withParams } from "../../api/request.ts";
import { settings } from "../../api/settings.ts";
import { usePages } from "../../api/use-pages.ts";
import { useResponse } from "../../api/use-response.ts";
import { closePanel, openPanel, useLocation } from "../../app/location.ts";
import { useSignal } from "../../app/signal.ts";
import { phrasesOf } from "../../format/marks.ts";
import { plural } from "../../format/words.ts";
import type { Call } from "../../parts/api-panel.tsx";
import { EmptyServer } from "../../parts/empty-server.tsx";
import { FilterForm } from "../../parts/filters/filter-form.tsx";
import { type Aside, Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Article } from "./article.tsx";
import type { NewsItem } from "./item.ts";
import { useNewsItem } from "./use-news-item.ts";
import { Wire } from "./wire.tsx";
import "./news.css";

/** Parameters that the view sets itself. */
const excluded = ["displayOutput", "format"];

/** A server with `--compat` names it `channel`. */
type Channel = { readonly name?: string; readonly channel?: string };

/** A search needs full text, to show matches in bodies. */
const perPage = { wire: 100, search: 30 };
const withTexts = { displayOutput: "full", format: "text" };

export function NewsView() {
  const listing = useListing("news");
  const channelsPath = useDocument()?.paths.listNewsChannels;
  const channelsRequest = channelsPath === undefined ? undefined : get(channelsPath);
  const { query, entry } = useLocation();
  const phrases = phrasesOf(query.get("topics") ?? "");
  const isSearch = phrases.length > 0;
  const filters = listing === undefined ? [] : filtersOf(listing, excluded);
  const plain =
    listing === undefined ? undefined : requestOf(listing, query, isSearch ? perPage.search : perPage.wire, filters);
  const request = plain !== undefined && isSearch ? withParams(plain, withTexts) : plain;
  const pages = usePages<NewsItem>(request);
  const { records, first, failure, loading, done, more, refetch } = pages;
  const channels = useResponse(channelsRequest);
  const reading = useReading();
  const isNew = useSignal(settings).empty === true;
  const calls: Call[] = [
    ...(request === undefined ? [] : [{ title: "News", request, body: first?.body }]),
    ...reading.calls,
    ...(channelsRequest === undefined
      ? []
      : [{ title: "Channels", request: channelsRequest, body: channels.response?.body }]),
  ];
  return (
    <Frame
      title="News"
      calls={calls}
      aside={reading.aside}
      full
      about={records.length === 0 ? undefined : `${plural(records.length, "item")}${done ? "" : " so far"}`}
    >
      <FilterForm
        filters={filters}
        primary={listing?.display.filters ?? []}
        failure={failure}
        suggestions={{
          channels: recordsOf<Channel>(channels.response?.body).map(({ channel = "", name = channel }) => ({
            value: name,
            label: name,
          })),
        }}
      />
      {failure !== undefined && <Notice failure={failure} refetch={refetch} />}
      {records.length === 0 &&
        done &&
        (isNew ? <EmptyServer resource="news" /> : <p class="empty">No news matches these filters.</p>)}
      <Wire
        items={records}
        phrases={phrases}
        openId={reading.id}
        onOpen={(item) => reading.open(String(item.id))}
        onEnd={more}
        scrollKey={entry}
        footer={loading ? "Loading…" : done && records.length > 0 ? "End of list" : ""}
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

/** The item in the URL, `item=ID`, for the side panel. */
function useReading(): Reading {
  const { query } = useLocation();
  const id = query.get("item") ?? undefined;
  const phrases = phrasesOf(query.get("topics") ?? "");
  const { request, result, item } = useNewsItem(id);
  const { response, failure, loading, refetch } = result;
  const content =
    failure !== undefined ? (
      <Notice failure={failure} refetch={refetch} />
    ) : item !== undefined ? (
      <Article item={item} phrases={phrases} />
    ) : (
      <p class="faint">{loading ? "Loading…" : `News item ${id} not found. It may have been removed.`}</p>
    );
  return {
    id,
    open: (selected) => openPanel({ item: selected }, id !== undefined),
    aside:
      id === undefined
        ? undefined
        : {
            title: "News item",
            content: (
              <>
                {content}
                <p>
                  <a href={`/news/${id}`}>Open full page</a>
                </p>
              </>
            ),
            onClose: () => closePanel({ item: undefined }),
          },
    calls: request === undefined ? [] : [{ title: "News item", request, body: response?.body }],
  };
}
