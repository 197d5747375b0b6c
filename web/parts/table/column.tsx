// Table columns. Every field has a default column by its kind, which views may override.
import type { ComponentChildren } from "preact";
import type { Field } from "../../api/document.ts";
import { timestampText, timeText } from "../../api/time-zone.ts";
import { dayText } from "../../format/day.ts";
import { type Item, textOf } from "../../format/item.ts";
import { decimal, type Tone } from "../../format/number.ts";
import { capitalized, labelOf } from "../../format/words.ts";

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
  /**
   * In characters; longer text is truncated with an ellipsis. If all columns of a table have one, they don't move while
   * it scrolls.
   */
  readonly width?: number;
  /** In a table that takes a part of the page. */
  readonly narrowWidth?: number;
  /** Takes a share of the space that the other columns leave. */
  readonly grow?: true;
  /** Fields that a computed column shows. */
  readonly of?: readonly string[];
  /** What the column is sorted by, if it isn't the field of its name. */
  readonly sortedBy?: (record: R) => unknown;
};

/** Of text, by an example of it. */
const textWidth = (example: unknown): number => Math.min(Math.max(String(example ?? "").length + 2, 9), 22);

/** Of `09:30 +1`, a time on the next day in the page’s time zone. */
const timeWidth = 8;

export function columnOf({ name, kind, doc, example }: Field): Column {
  const base = { name, label: labelOf(name), doc };
  const value = (record: Item): unknown => record[name];
  switch (kind) {
    case "decimal":
      return { ...base, align: "end", width: 10, show: (record) => decimal(value(record)) };
    case "integer":
      return { ...base, align: "end", width: 9, show: (record) => textOf(value(record)) };
    case "day":
      return { ...base, width: 12, show: (record) => dayText(textOf(value(record))) };
    case "time":
      return { ...base, width: timeWidth, show: (record) => timeText(record.date, value(record)) };
    case "session":
      return { ...base, width: 12, show: (record) => capitalized(timeText(record.date, value(record))) };
    case "timestamp":
      return { ...base, width: 24, show: (record) => timestampText(Number(value(record))) };
    case "boolean":
      return { ...base, width: 5, show: (record) => (value(record) === true ? "yes" : "no") };
    case "url":
      return { ...base, width: 30, show: (record) => <ExternalLink href={textOf(value(record))} /> };
    case "nested":
      return {
        ...base,
        width: 30,
        show: (record) => (value(record) === undefined ? "" : JSON.stringify(value(record))),
      };
    case "text":
      return { ...base, width: textWidth(example), show: (record) => textOf(value(record)) };
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
