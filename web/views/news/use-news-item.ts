// Fetches a news item by ID, with its full text.
import { recordsOf } from "../../api/client.ts";
import { useListing } from "../../api/document.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { type FetchResult, useResponse } from "../../api/use-response.ts";
import type { NewsItem } from "./item.ts";

export type NewsItemResult = {
  readonly request: ApiRequest | undefined;
  readonly result: FetchResult;
  /** Undefined until loaded, or if it doesn't exist. */
  readonly item: NewsItem | undefined;
};

export function useNewsItem(id: string | undefined): NewsItemResult {
  const isNumber = id !== undefined && /^\d+$/.test(id);
  const path = useListing("news")?.path;
  const request = isNumber && path !== undefined ? get(`${path}/${id}`, [["displayOutput", "full"]]) : undefined;
  const result = useResponse(request);
  const item = recordsOf<NewsItem>(result.response?.body).find((each) => String(each.id) === id);
  return { request, result, item };
}
