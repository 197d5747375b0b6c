// Who uses the service and how much, by key; and one key by day and resource.
import { changeQuery, hrefWith, usePlace } from "../../app/location.ts";
import { bytesText } from "../../format/amount.ts";
import { shortDay } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import type { Part } from "../../parts/part.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Usage } from "./administration.ts";
import { type DayUse, type KeyUse, usesByKey } from "./use-of-keys.ts";

type Props = {
  readonly part: Part;
  readonly usage: readonly Usage[];
  readonly today: string;
  readonly days: number;
};

const spans = [7, 30, 90];
const usualSpan = 30;

/** How many days are shown, as the address says. */
export const daysOf = (text: string | null): number => spans.find((each) => String(each) === text) ?? usualSpan;

export function UsageSection({ part, usage, today, days }: Props) {
  const { query } = usePlace();
  const keys = usesByKey(usage, today, days);
  const chosen = keys.find(({ key }) => key === query.get("key"));
  const isKnown = part.asked.answer !== undefined;
  const rows = usage.filter(({ key }) => key === chosen?.key).toSorted((a, b) => (a.day < b.day ? 1 : -1));
  return (
    <Section
      name="usage"
      title="Use by key"
      part={part}
      about={isKnown && keys.length === 0 ? "No key was used in these days." : aboutUse(keys)}
      actions={<Spans days={days} />}
    >
      {keys.length > 0 && (
        <Table
          caption={`Use by key in the last ${days} days`}
          columns={keyColumns}
          rows={keys}
          idOf={({ key }) => key}
          openId={chosen?.key}
        />
      )}
      {chosen !== undefined && (
        <>
          <h3>
            {chosen.key}, by day and resource{" "}
            <a class="button" href={hrefWith({ key: undefined })}>
              Close
            </a>
          </h3>
          <Table caption={`Use of ${chosen.key} by day and resource`} columns={dayColumns} rows={rows} idOf={idOf} />
        </>
      )}
    </Section>
  );
}

const idOf = ({ day, key, resource }: Usage): string => `${day} ${key} ${resource}`;

function aboutUse(keys: readonly KeyUse[]): string {
  if (keys.length === 0) return "";
  const total = keys.reduce((sum, { requests }) => sum + requests, 0);
  return `${plural(total, "request")} by ${plural(keys.length, "key")}`;
}

function Spans({ days }: { readonly days: number }) {
  return (
    <fieldset class="choices">
      <legend class="hidden">Days</legend>
      {spans.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === days}
          onClick={() => changeQuery({ days: each === usualSpan ? undefined : String(each) }, { replace: true })}
        >
          {each} days
        </button>
      ))}
    </fieldset>
  );
}

type Counted = Pick<Usage, "requests" | "records" | "bytes" | "errors" | "limited">;

const counts: readonly Column<Counted>[] = [
  { name: "requests", label: "Requests", align: "end", show: ({ requests }) => whole(requests) },
  { name: "records", label: "Records", align: "end", show: ({ records }) => whole(records) },
  { name: "bytes", label: "Sent", align: "end", show: ({ bytes }) => bytesText(bytes) },
  {
    name: "errors",
    label: "Errors",
    align: "end",
    doc: "Requests that were refused for another reason than a limit, or failed",
    show: ({ errors }) => whole(errors),
    tone: ({ errors }) => (errors > 0 ? "down" : undefined),
  },
  {
    name: "limited",
    label: "Limited",
    align: "end",
    doc: "Requests that met a limit of the key",
    show: ({ limited }) => whole(limited),
    tone: ({ limited }) => (limited > 0 ? "down" : undefined),
  },
];

const keyColumns: readonly Column<KeyUse>[] = [
  {
    name: "key",
    label: "Key",
    most: 24,
    show: ({ key }) => (
      <a href={hrefWith({ key })} title={`${key}, by day and resource`}>
        {key}
      </a>
    ),
  },
  { name: "days", label: "By day", show: ({ days }) => <Spark days={days} /> },
  ...counts,
];

const day: Column<Usage> = { name: "day", label: "Day", show: (row) => shortDay(row.day) };
const resource: Column<Usage> = { name: "resource", label: "Resource", show: (row) => row.resource };

const dayColumns: readonly Column<Usage>[] = [day, resource, ...counts];

const [width, height] = [120, 20];

/** Requests by day; what met a limit is set off. The table by day says the same. */
function Spark({ days }: { readonly days: readonly DayUse[] }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const each = width / days.length;
  const tall = (count: number): number => (count === 0 ? 0 : Math.max(1.5, (count / most) * height));
  return (
    <svg class="spark" width={width} height={height} aria-hidden="true">
      {days.map(({ day, requests, limited }, at) => (
        <g key={day}>
          <rect
            class="spark-bar"
            x={at * each}
            width={Math.max(1, each - 0.8)}
            y={height - tall(requests)}
            height={tall(requests)}
          />
          <rect
            class="spark-bar down"
            x={at * each}
            width={Math.max(1, each - 0.8)}
            y={height - tall(limited)}
            height={tall(limited)}
          />
        </g>
      ))}
    </svg>
  );
}
