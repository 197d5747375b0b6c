// Formats of responses: their media types, and the parameter that selects one.

import { enumParameter } from "../catalog/parameter.ts";
import { type Rule, rule } from "../catalog/rule.ts";
import type { Query } from "../query/query-string.ts";

export type Format = "json" | "xml" | "csv" | "ndjson";

type FormatInfo = {
  /** What it is for, for the documentation. */
  readonly use: string;
  readonly contentType: string;
  /** Media types that select it, besides the one of its content type. */
  readonly aliases: readonly string[];
  /** Whether a range of media types selects it: only the formats that lists had before there were others. */
  readonly inRanges: boolean;
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
};

export const mediaTypeOf = (format: Format): string => formats[format].contentType.split(";")[0] as string;

/** For messages: the formats that any acceptable range selects, then the others. */
export function listOfFormats(offered: readonly Format[]): string {
  const named = (inRanges: boolean) =>
    offered.filter((format) => formats[format].inRanges === inRanges).map(mediaTypeOf);
  return `${named(true).join(" and ")}, and on request with ${named(false).join(" or ")}`;
}

/** Whether a request selects its format by a parameter. */
export const isFormatSelected = (query: Query): boolean =>
  query.get(parameterName)?.some((text) => text.trim() !== "") === true;

/** Formats that every list has, whatever its records are. */
const tables: readonly Format[] = ["csv", "ndjson"];

/** All formats of a list, from those that its description names. */
export const withTables = (own: readonly Format[]): readonly Format[] => [...new Set([...own, ...tables])];

/** Adds the parameters of the formats to a list's own rules, which may have them already. */
export const withFormatRules = (own: readonly Rule[], offered: readonly Format[]): readonly Rule[] => [
  ...own.filter((each) => !formatRules.has(each)),
  outputRule(offered),
];

const parameterName = "output";

const formatRules = new WeakSet<Rule>();

function outputRule(offered: readonly Format[]): Rule {
  const uses = offered.map((format) => `${format} (${formats[format].use})`).join(", ");
  const parameter = {
    ...enumParameter(parameterName, `Format of the response, whatever the Accept header says: ${uses}`, offered),
    forOtherFormats: true as const,
  };
  const made = rule({ output: parameter }, ({ output }) => (output === undefined ? {} : { output }));
  formatRules.add(made);
  return made;
}
