// Formats of responses: their media types, and the parameters that select and shape them.

import { enumParameter, integerParameter, type Parameter } from "../catalog/parameter.ts";
import { type Rule, rule } from "../catalog/rule.ts";
import type { Query } from "../query/query-string.ts";
import type { EventDescription } from "./calendar-event.ts";
import type { EntryDescription } from "./feed-entry.ts";

export type Format = "json" | "xml" | "csv" | "ndjson" | "ics" | "atom";

type FormatInfo = {
  /** What it is for, for the documentation. */
  readonly use: string;
  readonly contentType: string;
  /** Media types that select it, besides the one of its content type. */
  readonly aliases: readonly string[];
  /** Whether a range of media types selects it: only the formats that lists had before there were others. */
  readonly inRanges: boolean;
  /** Whether the response contains its own URL. */
  readonly hasLinks?: true;
};

export const formats: Readonly<Record<Format, FormatInfo>> = {
  json: { use: "the default", contentType: "application/json; charset=utf-8", aliases: [], inRanges: true },
  xml: {
    use: "the same as XML",
    contentType: "application/xml; charset=utf-8",
    aliases: ["text/xml"],
    inRanges: true,
  },
  csv: { use: "for spreadsheets", contentType: "text/csv; charset=utf-8", aliases: [], inRanges: false },
  ndjson: {
    use: "one record per line",
    contentType: "application/x-ndjson; charset=utf-8",
    aliases: ["application/ndjson"],
    inRanges: false,
  },
  ics: {
    use: "for calendar apps",
    contentType: "text/calendar; charset=utf-8",
    aliases: [],
    inRanges: false,
  },
  atom: {
    use: "for feed readers",
    contentType: "application/atom+xml; charset=utf-8",
    aliases: [],
    inRanges: false,
    hasLinks: true,
  },
};

export const mediaTypeOf = (format: Format): string => formats[format].contentType.split(";")[0] as string;

/** The file that a response is saved as; undefined for the formats that lists had before there were others. */
export const fileNameOf = ({ name }: { readonly name: string }, format: Format): string | undefined =>
  formats[format].inRanges ? undefined : `${name}.${format}`;

/** For messages: the formats that any acceptable range selects, then the others. */
export function listOfFormats(offered: readonly Format[]): string {
  const named = (inRanges: boolean) =>
    offered.filter((format) => formats[format].inRanges === inRanges).map(mediaTypeOf);
  return `${named(true).join(" and ")}, and on request with ${disjunction.format(named(false))}`;
}

const disjunction = new Intl.ListFormat("en", { type: "disjunction" });

/** Whether a request selects its format by a parameter. */
export const isFormatSelected = (query: Query): boolean =>
  query.get(outputParameter)?.some((text) => text.trim() !== "") === true;

/** The format of a request; `accepted` if no parameter selects one. */
export function formatOf(
  query: Query,
  { formats: offered }: { readonly formats: readonly Format[] },
  accepted: Format,
): Format {
  const selected = query
    .get(outputParameter)
    ?.find((text) => text.trim() !== "")
    ?.trim();
  return offered.find((each) => each === selected) ?? accepted;
}

/**
 * Whether a parameter doesn't exist in a format. Clients of the interface send names such as `limit`, which it ignores; its
 * own formats still do.
 */
export const isUnknownIn = (format: Format, { forOtherFormats, formats: own }: Parameter<unknown>): boolean =>
  forOtherFormats === true && own !== undefined && !own.includes(format) && formats[format].inRanges;

/** Formats that every list has, whatever its records are. */
const tables: readonly Format[] = ["csv", "ndjson"];

/** What the formats and rules of a list depend on. */
type Outputs = {
  readonly formats?: readonly Format[];
  readonly event?: EventDescription | undefined;
  readonly entry?: EntryDescription | undefined;
  readonly rules: readonly Rule[];
};

/** All formats of a list, and its rules with the parameters of the formats, which they may have already. */
export function withFormats(own: Outputs): { formats: readonly Format[]; rules: readonly Rule[] } {
  const described: readonly Format[] = [
    ...(own.event === undefined ? [] : (["ics"] as const)),
    ...(own.entry === undefined ? [] : (["atom"] as const)),
  ];
  const offered = [...new Set([...(own.formats ?? ["json"]), ...tables, ...described])];
  const rules = own.rules.filter((each) => !formatRules.has(each));
  return {
    formats: offered,
    rules: [
      ...rules,
      outputRule(offered),
      ...(own.event === undefined ? [] : [alarmRule]),
      // An export is continued by a cursor.
      ...(rules.some(({ parameters }) => Object.hasOwn(parameters, "cursor")) ? [limitRule] : []),
    ],
  };
}

export const outputParameter = "output";

/** Most records of one export. */
const maxExportRecords = 100_000;

const limitRule = rule(
  {
    limit: {
      ...integerParameter(
        "limit",
        "Extension: records of the response, instead of a page: streamed, all from the same moment",
        1,
        maxExportRecords,
      ),
      forOtherFormats: true,
      formats: ["csv", "ndjson"],
    } as const,
  },
  ({ limit }) => (limit === undefined ? {} : { exportSize: limit }),
);

/** Most apps limit alarms to four weeks. */
const maxAlarmMinutes = 40_320;

const alarmRule = rule(
  {
    alarm: {
      ...integerParameter(
        "alarm",
        "Extension: minutes before each event at which the calendar app alerts; no alerts without it",
        0,
        maxAlarmMinutes,
      ),
      forOtherFormats: true,
      formats: ["ics"],
    } as const,
  },
  ({ alarm }) => (alarm === undefined ? {} : { alarmMinutes: alarm }),
);

const formatRules = new WeakSet<Rule>([alarmRule, limitRule]);

function outputRule(offered: readonly Format[]): Rule {
  const uses = offered.map((format) => `${format} (${formats[format].use})`).join(", ");
  const parameter = {
    ...enumParameter(
      outputParameter,
      `Extension: format of the response, whatever the Accept header says: ${uses}`,
      offered,
    ),
    forOtherFormats: true as const,
  };
  // Its value is needed before any rule is applied (`formatOf`).
  const made = rule({ output: parameter }, () => ({}));
  formatRules.add(made);
  return made;
}
