// One item by its id, with all of its text.
import { recordsOf } from "../../api/client.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { type Asked, useAnswer } from "../../api/use-response.ts";
import type { NewsItem } from "./item.ts";

export type AskedItem = {
  readonly request: ApiRequest | undefined;
  readonly asked: Asked;
  /** Undefined while it is not known, and where there is none. */
  readonly item: NewsItem | undefined;
};

export function useNewsItem(id: string | undefined): AskedItem {
  const isNumber = id !== undefined && /^\d+$/.test(id);
  const request = isNumber ? get(`/api/v2/news/${id}`, [["displayOutput", "full"]]) : undefined;
  const asked = useAnswer(request);
  const item = recordsOf<NewsItem>(asked.answer?.body).find((each) => String(each.id) === id);
  return { request, asked, item };
}
