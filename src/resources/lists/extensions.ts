// All extensions: lists that the interface doesn't define.
import type { Extension } from "../../core/catalog/extension.ts";
import { calendarItems } from "./calendar-items.ts";
import { companies } from "./companies.ts";
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
  companies,
  ...calendarItems,
];
