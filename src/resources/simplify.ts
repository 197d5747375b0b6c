// The table behind `simplify`: rating terms of analyst firms → Buy, Hold, or Sell.

import type { Transform } from "../core/catalog/rule.ts";
import type { Json } from "../core/record/row.ts";
import { normalizeRating } from "../core/text/normalize.ts";

export const standardRatings = {
  Buy: [
    "Buy",
    "Strong Buy",
    "Conviction Buy",
    "Speculative Buy",
    "Long-Term Buy",
    "Top Pick",
    "Outperform",
    "Market Outperform",
    "Sector Outperform",
    "Outperformer",
    "Overweight",
    "Positive",
    "Accumulate",
    "Add",
  ],
  Hold: [
    "Hold",
    "Neutral",
    "Equal-Weight",
    "Market Perform",
    "Sector Perform",
    "Peer Perform",
    "Perform",
    "In-Line",
    "Market Weight",
    "Sector Weight",
    "Mixed",
    "Fair Value",
    "Average",
  ],
  Sell: [
    "Sell",
    "Strong Sell",
    "Underperform",
    "Underperformer",
    "Underweight",
    "Market Underperform",
    "Sector Underperform",
    "Reduce",
    "Negative",
    "Avoid",
  ],
} as const;

const standardOf = new Map(
  Object.entries(standardRatings).flatMap(([standard, terms]) =>
    terms.map((term) => [normalizeRating(term), standard] as const),
  ),
);

const simplified = (rating: Json): string => standardOf.get(normalizeRating(String(rating))) ?? String(rating);

export const simplifyRatings: Transform = {
  name: "simplify",
  members: { rating_current: simplified, rating_prior: simplified },
};
