// A news item on a page of its own.
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Article } from "./article.tsx";
import { useNewsItem } from "./use-news-item.ts";
import "./news.css";

export function NewsItemView({ segments: { id } }: ViewProps) {
  const { request, asked, item } = useNewsItem(id);
  const { answer, failure, loading, again } = asked;
  const isMissing = item === undefined && !loading && failure === undefined;
  return (
    <Frame
      title={item?.title ?? "News item"}
      calls={request === undefined ? [] : [{ title: "News item", request, body: answer?.body }]}
      actions={
        <a class="button" href="/news">
          All news
        </a>
      }
    >
      {failure !== undefined && <Notice failure={failure} again={again} />}
      {loading && item === undefined && <p class="loading">Loading…</p>}
      {isMissing && <p class="empty">There is no news item {id}. It may have been removed.</p>}
      {item !== undefined && (
        <div class="article-page">
          <Article item={item} untitled />
        </div>
      )}
    </Frame>
  );
}
