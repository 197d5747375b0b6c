// Usage by key, and of one key by day and resource.
import { changeQuery, hrefWith, useLocation } from "../../app/location.ts";
import { bytesText } from "../../format/amount.ts";
import { shortDay } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Usage } from "./administration.ts";
import { type DayUsage, type KeyUsage, usageByKey } from "./key-usage.ts";

type Props = {
  readonly source: DataSource;
  readonly usage: readonly Usage[];
  readonly today: string;
  readonly days: number;
};

const spans = [7, 30, 90];
const defaultSpan = 30;

/** The number of days in the URL. */
export const daysOf = (text: string | null): number => spans.find((each) => String(each) === text) ?? defaultSpan;

export function UsageSection({ source, usage, today, days }: Props) {
  const { query } = useLocation();
  const keys = usageByKey(usage, today, days);
  const selected = keys.find(({ key }) => key === query.get("key"));
  const isKnown = source.result.response !== undefined;
  const rows = usage.filter(({ key }) => key === selected?.key).toSorted((a, b) => (a.day < b.day ? 1 : -1));
  return (
    <Section
      name="usage"
      title="Usage by key"
      source={source}
      about={isKnown && keys.length === 0 ? "No usage in this period." : aboutUsage(keys)}
      actions={<Spans days={days} />}
    >
      {keys.length > 0 && (
        <Table
          caption={`Usage by key in the last ${days} days`}
          columns={keyColumns}
          rows={keys}
          idOf={({ key }) => key}
          openId={selected?.key}
        />
      )}
      {selected !== undefined && (
        <>
          <h3>
            {selected.key}, by day and resource{" "}
            <a class="button" href={hrefWith({ key: undefined })}>
              Close
            </a>
          </h3>
          <Table
            caption={`Usage of ${selected.key} by day and resource`}
            columns={dayColumns}
            rows={rows}
            idOf={idOf}
          />
        </>
      )}
    </Section>
  );
}

const idOf = ({ day, key, resource }: Usage): string => `${day} ${key} ${resource}`;

function aboutUsage(keys: readonly KeyUsage[]): string {
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
          onClick={() => changeQuery({ days: each === defaultSpan ? undefined : String(each) }, { replace: true })}
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
    ...{ align: "end", width: 10 },
    doc: "Failed requests, except for rate limits and quotas",
    show: ({ errors }) => whole(errors),
    tone: ({ errors }) => (errors > 0 ? "down" : undefined),
  },
  {
    name: "limited",
    label: "Rate limited",
    ...{ align: "end", width: 10 },
    doc: "Requests rejected because of the key’s rate limit or quota",
    show: ({ limited }) => whole(limited),
    tone: ({ limited }) => (limited > 0 ? "down" : undefined),
  },
];

const keyColumns: readonly Column<KeyUsage>[] = [
  {
    name: "key",
    ...{ label: "Key", width: 18, grow: true },
    show: ({ key }) => (
      <a href={hrefWith({ key })} title={`${key}, by day and resource`}>
        {key}
      </a>
    ),
  },
  { name: "days", label: "By day", width: 16, show: ({ days }) => <Spark days={days} /> },
  ...counts,
];

const day: Column<Usage> = { name: "day", label: "Day", width: 12, show: (row) => shortDay(row.day) };
const resource: Column<Usage> = {
  name: "resource",
  label: "Resource",
  width: 18,
  grow: true,
  show: (row) => row.resource,
};

const dayColumns: readonly Column<Usage>[] = [day, resource, ...counts];

const [width, height] = [120, 20];

/** Requests by day, with rate-limited ones highlighted. The table by day shows the same data. */
function Spark({ days }: { readonly days: readonly DayUsage[] }) {
  const maxRequests = Math.max(1, ...days.map(({ requests }) => requests));
  const each = width / days.length;
  const tall = (count: number): number => (count === 0 ? 0 : Math.max(1.5, (count / maxRequests) * height));
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
