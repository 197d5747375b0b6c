// The stream of a resource: the parameters of its list, without paging and order, and a position to start from.

import type { CompatList } from "../catalog/compat.ts";
import type { Listing } from "../catalog/extension.ts";
import type { Parameter } from "../catalog/parameter.ts";
import { partsOf } from "../catalog/references.ts";
import type { Resource } from "../catalog/resource.ts";
import { type Rule, rule } from "../catalog/rule.ts";
import { parseStreamPosition, type StreamPosition } from "./stream-position.ts";

/** What a change is to a stream: a record that moves into its filter is created, one that moves out is removed. */
export const actions = ["created", "updated", "removed"] as const;

export type StreamStart = StreamPosition | "start";

export const sincePositions: Parameter<StreamStart> = {
  names: ["since"],
  doc: "Position to continue after: the `id` of an event, or `X-Stream-Position` of a list; `start` for the oldest change in the log. Absent: from now on. The header `Last-Event-ID` takes precedence.",
  expected: "start, or the position of an event or a list",
  parse: (text) => (text === "start" ? text : parseStreamPosition(text)),
  isBlank: (text) => text === "",
  schema: { type: "string" },
  valid: ["start", "0a1b2c3d4e5f.42"],
  invalid: ["42", "end", "0a1b2c3d4e5f.", "0a1b2c3d4e5f.-1"],
  opaque: true,
  echoLimit: 64,
};

export const streamPath = (listPath: string): string => `${listPath}/stream`;

/** The stream as a list: its rules validate a request, and its path is where it is served. */
export function streamOf<L extends Listing>(listing: L): L {
  const filtered = filtersOf(listing);
  const start = rule({ since: sincePositions }, () => ({}));
  return { ...filtered, path: streamPath(listing.path), rules: [...filtered.rules, start] };
}

/** The filters of a list, and the form of its records, as a list: parameters for pages and orders are errors. */
export const filtersOf = <L extends Listing>(listing: L): L => ({
  ...listing,
  formats: ["json"],
  rules: listing.rules.map(acceptedByStream),
});

/** The stream over WebSocket: clients send bracketed parameters without brackets too. */
export function messagesOf<L extends Listing>(listing: L, { messages }: Resource): L {
  const stream = streamOf(listing);
  return { ...stream, rules: [...stream.rules.map(withShortNames), ...(messages?.rules ?? [])] };
}

/** What a stream is to clients of other implementations; `form` makes the stream of a list. */
export const compatStream = (list: CompatList, form: <L extends Listing>(listing: L) => L): CompatList => ({
  ...list,
  listing: form(list.listing),
  variant: form(list.variant),
  paths: list.paths.map((each) => ({ ...each, path: streamPath(each.path) })),
});

function withShortNames(each: Rule): Rule {
  const parameters = Object.entries(each.parameters).map(([key, { names, ...rest }]) => {
    const short = names.flatMap((name) => /^parameters\[(.+)\]$/.exec(name)?.[1] ?? []);
    return [key, { ...rest, names: [...names, ...short] }];
  });
  return { ...each, parameters: Object.fromEntries(parameters) };
}

/** Parameters that a stream accepts. */
export const streamParameters = (resource: Resource): Parameter<unknown>[] =>
  [
    ...resource.rules.filter((each) => reasonToReject(each) === undefined).map(({ parameters }) => parameters),
    { since: sincePositions },
  ].flatMap((parameters) => Object.values(parameters));

/** By rule: a list is served as several streams, and finding out means applying the rule to all its valid values. */
const rejections = new WeakMap<Rule, { readonly reason: string | undefined }>();

/** Why a rule has no meaning for a stream: it only determines the page, its order, or its format. */
function reasonToReject(each: Rule): string | undefined {
  const known = rejections.get(each) ?? { reason: findReason(each) };
  rejections.set(each, known);
  return known.reason;
}

function findReason(each: Rule): string | undefined {
  const parameters = Object.values(each.parameters);
  if (parameters.length > 0 && parameters.every(({ forOtherFormats }) => forOtherFormats))
    return "a stream always sends JSON";
  const parts = [...partsOf(each)];
  const isOrderOrPage =
    parts.some(({ order, page, size, cursor }) => order ?? page ?? size ?? cursor) &&
    parts.every(({ where, selectedFields, include, transform }) => !(where ?? selectedFields ?? include ?? transform));
  return isOrderOrPage ? "a stream has no pages and no order" : undefined;
}

/** A rejected rule accepts no value: a stream that ignored a page or an order would look as if it had one. */
function acceptedByStream(each: Rule): Rule {
  const reason = reasonToReject(each);
  if (reason === undefined) return each;
  const expected = `to be absent, because ${reason}`;
  const absent = Object.entries(each.parameters).map(([key, parameter]) => [
    key,
    { ...parameter, parse: () => undefined, expected },
  ]);
  return rule(Object.fromEntries(absent), () => ({}));
}
