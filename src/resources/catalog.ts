// The seven resources: the only list of them.
import type { Resource } from "../core/catalog/resource.ts";
import { conferenceCalls } from "./conference-calls.ts";
import { dividends } from "./dividends.ts";
import { earnings } from "./earnings.ts";
import { economics } from "./economics.ts";
import { guidance } from "./guidance.ts";
import { news } from "./news.ts";
import { ratings } from "./ratings.ts";

export const catalog: readonly Resource[] = [news, ratings, dividends, guidance, earnings, economics, conferenceCalls];
