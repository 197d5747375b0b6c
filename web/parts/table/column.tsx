// Columns: how a field of a record is shown. Every field has a column by its kind; views refine those that mean more.
import type { ComponentChildren } from "preact";
import type { Field } from "../../api/document.ts";
import { clockText, dayText, momentText } from "../../format/day.ts";
import { type Item, textOf } from "../../format/item.ts";
import { decimal, type Tone } from "../../format/number.ts";
import { labelOf } from "../../format/words.ts";

export { type Item, textOf };

export type Column<R = Item> = {
  readonly name: string;
  readonly label: string;
  /** What the column means, shown when the pointer rests on its head. */
  readonly doc?: string;
  /** Numbers stand at the end, so that their digits are below each other. */
  readonly align?: "start" | "end";
  readonly show: (record: R) => ComponentChildren;
  readonly tone?: (record: R) => Tone;
  /** Whether an arrow says what the colour says; a value with a sign needs none. */
  readonly arrow?: true;
  /** Longest width in characters; what is longer is cut with an ellipsis. */
  readonly most?: number;
};

export function columnOf({ name, kind, doc }: Field): Column {
  const base = { name, label: labelOf(name), doc };
  const value = (record: Item): unknown => record[name];
  switch (kind) {
    case "decimal":
      return { ...base, align: "end", show: (record) => decimal(value(record)) };
    case "integer":
      return { ...base, align: "end", show: (record) => textOf(value(record)) };
    case "day":
      return { ...base, show: (record) => dayText(textOf(value(record))) };
    case "clock":
      return { ...base, show: (record) => clockText(value(record)) };
    case "stamp":
      return { ...base, show: (record) => momentText(Number(value(record)), "UTC") };
    case "flag":
      return { ...base, show: (record) => (value(record) === true ? "yes" : "no") };
    case "address":
      return { ...base, show: (record) => <Outside href={textOf(value(record))} /> };
    case "nested":
      return { ...base, most: 30, show: (record) => JSON.stringify(value(record) ?? "") };
    case "text":
      return { ...base, most: 40, show: (record) => textOf(value(record)) };
  }
}

/** A link to another site; anything but http and https stays a text. */
export function Outside({ href, children }: { readonly href: string; readonly children?: ComponentChildren }) {
  if (!/^https?:\/\//i.test(href)) return <>{children ?? href}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children ?? href.replace(/^https?:\/\//i, "")} <span aria-hidden="true">↗</span>
    </a>
  );
}

export function TickerLink({ symbol }: { readonly symbol: unknown }) {
  const text = textOf(symbol);
  if (text === "") return null;
  return (
    <a class="ticker" href={`/ticker/${encodeURIComponent(text)}`}>
      {text}
    </a>
  );
}
