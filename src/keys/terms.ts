// Terms of a key on the wire: their definitions, parsing with all errors at once, and formatting.

import { scopeNames, unrestrictedScopes } from "../core/access/scope.ts";
import { quotaPeriods, type Terms } from "../core/access/terms.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { ParameterError } from "../core/problem.ts";
import { isDay } from "../core/value/time-zone.ts";
import { isNetwork } from "./networks.ts";
import { redactKeys } from "./redact.ts";

/** Resources and licenses that a key can have. */
export type AvailableTerms = { readonly resources: readonly string[]; readonly licenses: readonly string[] };

/** Licenses are those that some parameter requires. */
export function availableTerms(catalog: readonly Resource[]): AvailableTerms {
  const inputs = catalog.flatMap(({ rules }) => rules.flatMap((rule) => Object.values(rule.parameters)));
  return {
    resources: catalog.map(({ name }) => name),
    licenses: [...new Set(inputs.flatMap(({ license }) => license ?? []))],
  };
}

type Term = {
  readonly key: keyof Terms;
  readonly doc: string;
  readonly expected: string;
  readonly schema: Schema;
  /** The value in stored form; undefined when it is invalid. */
  readonly read: (value: unknown) => Terms[keyof Terms] | undefined;
  /** Which part of an invalid value is wrong. */
  readonly explain?: (value: unknown) => { readonly given: unknown; readonly expected: string };
};

const maxOwnerLength = 500;

/** Requests per second. */
const rates = { min: 0.0001, max: 100_000 };

/** By wire name, in the order of output. */
export function termDefinitions({ resources, licenses }: AvailableTerms): Readonly<Record<string, Term>> {
  return {
    owner: {
      key: "owner",
      doc: "Who uses the key; free text",
      ...text(
        (value) => value.length <= maxOwnerLength && isPrintable(value),
        `text of at most ${maxOwnerLength} characters that doesn't contain a key`,
      ),
    },
    scopes: { key: "scopes", doc: "What the key may do", ...subset(scopeNames, 1) },
    licenses: { key: "licenses", doc: "Licenses that the key holds", ...subset(licenses) },
    resources: {
      key: "resources",
      doc: "Resources that the key may read and write; empty for all",
      ...subset(resources),
    },
    history: {
      key: "history",
      doc: "Oldest day that is visible, or how many days before today; empty for all",
      ...text(isHistory, "a day as YYYY-MM-DD, or a number of days such as 365d"),
    },
    delay_minutes: { key: "delay", doc: "Minutes before a record becomes visible", ...wholeNumber(525_600) },
    rate: {
      key: "rate",
      doc: "Requests per second; 0 for no limit",
      expected: `a number from ${rates.min} to ${rates.max}, or 0`,
      schema: { type: "number", minimum: 0, maximum: rates.max },
      read: (value) => (isRate(value) ? value : undefined),
    },
    burst: {
      key: "burst",
      doc: "Requests that may be sent at once; 0 for as many as per second",
      ...wholeNumber(1_000_000),
    },
    quota: { key: "quota", doc: "Requests per period; 0 for no limit", ...wholeNumber(1_000_000_000_000) },
    quota_per: {
      key: "quotaPer",
      doc: "Period of the quota, in the service's time zone",
      ...text((value) => quotaPeriods.some((each) => each === value), quotaPeriods.join(" or ")),
      schema: { type: "string", enum: [...quotaPeriods] },
    },
    expires: {
      key: "expires",
      doc: "Last day on which the key is valid; empty if it doesn't expire",
      ...text((value) => value === "" || isDay(value), "a day as YYYY-MM-DD"),
    },
    origins: {
      key: "origins",
      doc: "Origins of pages that may use the key; empty for all, and for programs",
      ...list(isOrigin, "an origin such as https://example.com"),
    },
    networks: {
      key: "networks",
      doc: "Networks that the key may be used from; empty for all",
      ...list(isNetwork, "a network such as 192.0.2.0/24 or 2001:db8::/32"),
    },
    compat: {
      key: "compat",
      doc: "Whether requests are parsed and responses shaped for clients of other implementations",
      expected: "true or false",
      schema: { type: "boolean" },
      read: (value) => (typeof value === "boolean" ? value : undefined),
    },
  };
}

/** Parses terms by wire name; unknown names are errors. */
export function parseTerms(
  input: Readonly<Record<string, unknown>>,
  offer: AvailableTerms,
): { readonly terms: Partial<Terms>; readonly errors: readonly ParameterError[] } {
  const known = termDefinitions(offer);
  const read: Record<string, unknown> = {};
  const errors: ParameterError[] = [];
  for (const [name, value] of Object.entries(input)) {
    const term = Object.hasOwn(known, name) ? known[name] : undefined;
    const parsed = term?.read(value);
    if (term !== undefined && parsed !== undefined) read[term.key] = parsed;
    else {
      const { given: received = value, expected } = term?.explain?.(value) ?? {
        expected: term?.expected ?? `one of ${Object.keys(known).join(", ")}`,
      };
      errors.push(parameterError(name, received, expected));
    }
  }
  return { terms: read as Partial<Terms>, errors };
}

/** Conflicts between terms that are each valid. */
export function termConflicts({ scopes, history, delay, rate, burst }: Terms): ParameterError[] {
  const found: ParameterError[] = [];
  // The change feed and bulk files show every record immediately.
  const unrestricted = unrestrictedScopes.find((scope) => scopes.includes(scope));
  if (unrestricted !== undefined) {
    const whole = `to be left out where scopes hold "${unrestricted}", which sees all`;
    if (history !== "") found.push(parameterError("history", history, whole));
    if (delay > 0) found.push(parameterError("delay_minutes", delay, whole));
  }
  if (burst > 0 && rate === 0) found.push(parameterError("burst", burst, "to be given with a rate"));
  return found;
}

/** Terms by wire name. */
export const formatTerms = (terms: Terms, offer: AvailableTerms): Record<string, unknown> =>
  Object.fromEntries(Object.entries(termDefinitions(offer)).map(([name, { key }]) => [name, terms[key]]));

const maxShownLength = 200;

export function parameterError(parameter: string, received: unknown, expected: string): ParameterError {
  const shown = redactKeys(typeof received === "string" ? received : (JSON.stringify(received) ?? "nothing"));
  return {
    parameter: redactKeys(parameter).slice(0, maxShownLength).toWellFormed(),
    given: shown.length <= maxShownLength ? shown : `${shown.slice(0, maxShownLength).toWellFormed()}…`,
    expected,
  };
}

/** Whether a text has no control characters and no key pasted in the wrong place. */
export const isPrintable = (value: string): boolean =>
  value.isWellFormed() && !/\p{Cc}/u.test(value) && redactKeys(value) === value;

type Kind = Pick<Term, "expected" | "schema" | "read" | "explain">;

const text = (isValid: (value: string) => boolean, expected: string): Kind => ({
  expected,
  schema: { type: "string" },
  read: (value) => (typeof value === "string" && isValid(value.trim()) ? value.trim() : undefined),
});

const wholeNumber = (most: number): Kind => ({
  expected: `a whole number from 0 to ${most}`,
  schema: { type: "integer", minimum: 0, maximum: most },
  read: (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined,
});

/** A set of names in canonical order. */
const subset = (names: readonly string[], least: 0 | 1 = 0): Kind => {
  const each = list((name) => names.includes(name), names.join(", "));
  return {
    ...each,
    schema: { type: "array", items: { type: "string", enum: [...names] }, minItems: least },
    read: (value) => {
      const chosen = each.read(value) as string[] | undefined;
      return chosen === undefined || chosen.length < least ? undefined : names.filter((name) => chosen.includes(name));
    },
  };
};

const maxListItems = 100;

const list = (isValid: (each: string) => boolean, expected: string): Kind => ({
  expected,
  schema: { type: "array", items: { type: "string" }, maxItems: maxListItems },
  read: (value) => {
    const strings = stringsOf(value);
    return strings !== undefined && strings.length <= maxListItems && strings.every(isValid)
      ? [...new Set(strings)]
      : undefined;
  },
  explain: (value) => {
    const strings = stringsOf(value);
    if (strings === undefined || strings.length > maxListItems)
      return { given: value, expected: `a list of at most ${maxListItems}: ${expected}` };
    return { given: strings.find((each) => !isValid(each)) ?? "", expected };
  },
});

const stringsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;

const isHistory = (value: string): boolean => value === "" || isDay(value) || /^[1-9]\d{0,4}d$/.test(value);

const isRate = (value: unknown): value is number =>
  value === 0 || (typeof value === "number" && value >= rates.min && value <= rates.max);

/** As a browser sends it: without path and default port. */
const isOrigin = (value: string): boolean =>
  /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
