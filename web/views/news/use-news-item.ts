// One item by its id, with all of its text.
import { recordsOf } from "../../api/client.ts";
import { useListing } from "../../api/document.ts";
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
  const path = useListing("news")?.path;
  const request = isNumber && path !== undefined ? get(`${path}/${id}`, [["displayOutput", "full"]]) : undefined;
  const asked = useAnswer(request);
  const item = recordsOf<NewsItem>(asked.answer?.body).find((each) => String(each.id) === id);
  return { request, asked, item };
}
