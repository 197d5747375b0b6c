// The lists beside the seven, which the interface does not have: the only list of them.
import type { Extension } from "../../core/catalog/extension.ts";
import { dayCounts } from "./day-counts.ts";
import { newsChannels, newsItem } from "./news-lists.ts";
import { analysts, firms } from "./ratings-lists.ts";
import { calendarRemoved, newsRemoved } from "./removed.ts";

export const extensions: readonly Extension[] = [
  newsItem,
  newsChannels,
  newsRemoved,
  analysts,
  firms,
  calendarRemoved,
  dayCounts,
];
