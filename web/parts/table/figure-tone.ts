// Tone of a figure: whether it is good news that it is higher or lower, as declared in the display of its list.

import { currentDocument } from "../../api/document.ts";
import type { Item } from "../../format/item.ts";
import { type Tone, toneOf } from "../../format/number.ts";
import { polarityOf } from "../../format/polarity.ts";

/** The arrow is the direction; the color, whether that is good news. */
export function figureTone(record: Item, value: unknown, against: unknown): Tone {
  const tone = toneOf(value, against);
  const polarity = currentDocument()?.listings.find(
    ({ display }) => display.polarity !== undefined && typeof record[display.polarity.field] === "string",
  )?.display.polarity;
  if (tone === undefined || polarity === undefined) return tone;
  const direction = polarityOf(String(record[polarity.field]), polarity);
  return direction === 1 ? tone : `${tone} ${direction === 0 ? "neutral" : "inverse"}`;
}
