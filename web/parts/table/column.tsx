// Table columns. Every field has a default column by its kind, which views may override.
import type { ComponentChildren } from "preact";
import type { Field } from "../../api/document.ts";
import { timestampText, timeText } from "../../api/time-zone.ts";
import { dayText } from "../../format/day.ts";
import { type Item, textOf } from "../../format/item.ts";
import { decimal, type Tone } from "../../format/number.ts";
import { labelOf } from "../../format/words.ts";

export { type Item, textOf };

export type Column<R = Item> = {
  readonly name: string;
  readonly label: string;
  /** Tooltip of the header. */
  readonly doc?: string;
  /** Numbers are aligned at the end. */
  readonly align?: "start" | "end";
  readonly show: (record: R) => ComponentChildren;
  readonly tone?: (record: R) => Tone;
  /** Adds an arrow to the color; a value with a sign needs none. */
  readonly arrow?: true;
  /** In characters; longer text is truncated with an ellipsis. */
  readonly maxWidth?: number;
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
    case "time":
      return { ...base, show: (record) => timeText(record.date, value(record)) };
    case "timestamp":
      return { ...base, show: (record) => timestampText(Number(value(record))) };
    case "boolean":
      return { ...base, show: (record) => (value(record) === true ? "yes" : "no") };
    case "url":
      return { ...base, show: (record) => <ExternalLink href={textOf(value(record))} /> };
    case "nested":
      return { ...base, maxWidth: 30, show: (record) => JSON.stringify(value(record) ?? "") };
    case "text":
      return { ...base, maxWidth: 40, show: (record) => textOf(value(record)) };
  }
}

/** Anything but http and https is plain text. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children?: ComponentChildren }) {
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
