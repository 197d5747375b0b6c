// View of a single news item.
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Article } from "./article.tsx";
import { useNewsItem } from "./use-news-item.ts";
import "./news.css";

export function NewsItemView({ segments: { id } }: ViewProps) {
  const { request, result, item } = useNewsItem(id);
  const { response, failure, loading, refetch } = result;
  const isMissing = item === undefined && !loading && failure === undefined;
  return (
    <Frame
      title={item?.title ?? "News item"}
      calls={request === undefined ? [] : [{ title: "News item", request, body: response?.body }]}
      actions={
        <a class="button" href="/news">
          All news
        </a>
      }
    >
      {failure !== undefined && <Notice failure={failure} refetch={refetch} />}
      {loading && item === undefined && <p class="loading">Loading…</p>}
      {isMissing && <p class="empty">News item {id} not found. It may have been removed.</p>}
      {item !== undefined && (
        <div class="article-page">
          <Article item={item} hideTitle />
        </div>
      )}
    </Frame>
  );
}
