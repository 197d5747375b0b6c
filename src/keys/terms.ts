// Terms of a key as people and programs give them: what each may be, every mistake at once, and how they are told back.

import { scopeNames } from "../core/access/scope.ts";
import { quotaPeriods, type Terms } from "../core/access/terms.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Mistake } from "../core/problem.ts";
import { isDay } from "../core/value/time-zone.ts";
import { isNetwork } from "./networks.ts";
import { hideKeys } from "./redact.ts";

/** What there is to be sold. */
export type Offer = { readonly resources: readonly string[]; readonly licenses: readonly string[] };

/** Licenses are those that some parameter needs. */
export function offerOf(catalog: readonly Resource[]): Offer {
  const inputs = catalog.flatMap(({ rules }) => rules.flatMap((rule) => Object.values(rule.inputs)));
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
  /** The value as it is kept; undefined when it is not what is expected. */
  readonly read: (value: unknown) => Terms[keyof Terms] | undefined;
  /** What exactly is not as expected, where it is less than all. */
  readonly blame?: (value: unknown) => { readonly given: unknown; readonly expected: string };
};

const longestOwner = 500;

/** Requests a second. */
const rates = { min: 0.0001, max: 100_000 };

/** By their names on the wire, in the order in which they are told. */
export function termsOf({ resources, licenses }: Offer): Readonly<Record<string, Term>> {
  return {
    owner: {
      key: "owner",
      doc: "Whose key it is, in the operator's own words",
      ...text(
        (given) => given.length <= longestOwner && isPlain(given),
        `a text of at most ${longestOwner} characters, without a key in it`,
      ),
    },
    scopes: { key: "scopes", doc: "What the key may do", ...some(scopeNames, 1) },
    licenses: { key: "licenses", doc: "Licenses that the key holds", ...some(licenses) },
    resources: { key: "resources", doc: "Resources that the key is for; empty for all", ...some(resources) },
    history: {
      key: "history",
      doc: "Oldest day that is seen, or how many days before today; empty for all",
      ...text(isHistory, "a day as YYYY-MM-DD, or a number of days such as 365d"),
    },
    delay_minutes: { key: "delay", doc: "Minutes that pass before a record is seen", ...whole(525_600) },
    rate: {
      key: "rate",
      doc: "Requests a second; 0 for no limit",
      expected: `a number from ${rates.min} to ${rates.max}, or 0`,
      schema: { type: "number", minimum: 0, maximum: rates.max },
      read: (value) => (isRate(value) ? value : undefined),
    },
    burst: { key: "burst", doc: "Requests that may come at once; 0 for those of one second", ...whole(1_000_000) },
    quota: { key: "quota", doc: "Requests in a period; 0 for no limit", ...whole(1_000_000_000_000) },
    quota_per: {
      key: "quotaPer",
      doc: "The period of the quota, in the service's zone",
      ...text((given) => quotaPeriods.some((each) => each === given), quotaPeriods.join(" or ")),
      schema: { type: "string", enum: [...quotaPeriods] },
    },
    expires: {
      key: "expires",
      doc: "Last day on which the key is good; empty when it does not expire",
      ...text((given) => given === "" || isDay(given), "a day as YYYY-MM-DD"),
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
  };
}

/** What was understood of terms that were given, and what was not. A name that means nothing is a mistake. */
export function readTerms(
  given: Readonly<Record<string, unknown>>,
  offer: Offer,
): { readonly terms: Partial<Terms>; readonly mistakes: readonly Mistake[] } {
  const known = termsOf(offer);
  const read: Record<string, unknown> = {};
  const mistakes: Mistake[] = [];
  for (const [name, value] of Object.entries(given)) {
    const term = Object.hasOwn(known, name) ? known[name] : undefined;
    const understood = term?.read(value);
    if (term !== undefined && understood !== undefined) read[term.key] = understood;
    else {
      const { given: told = value, expected } = term?.blame?.(value) ?? {
        expected: term?.expected ?? `one of ${Object.keys(known).join(", ")}`,
      };
      mistakes.push(mistake(name, told, expected));
    }
  }
  return { terms: read as Partial<Terms>, mistakes };
}

/** What is wrong with terms together, each of which is good by itself. */
export function clashes({ scopes, history, delay, rate, burst }: Terms): Mistake[] {
  const found: Mistake[] = [];
  // The change feed shows every record as soon as it comes.
  const whole = 'to be left out where scopes hold "replicate", which sees all';
  if (scopes.includes("replicate") && history !== "") found.push(mistake("history", history, whole));
  if (scopes.includes("replicate") && delay > 0) found.push(mistake("delay_minutes", delay, whole));
  if (burst > 0 && rate === 0) found.push(mistake("burst", burst, "to be given with a rate"));
  return found;
}

/** By their names on the wire. */
export const printTerms = (terms: Terms, offer: Offer): Record<string, unknown> =>
  Object.fromEntries(Object.entries(termsOf(offer)).map(([name, { key }]) => [name, terms[key]]));

const mostTold = 200;

export function mistake(parameter: string, given: unknown, expected: string): Mistake {
  const told = hideKeys(typeof given === "string" ? given : (JSON.stringify(given) ?? "nothing"));
  return {
    parameter: hideKeys(parameter).slice(0, mostTold).toWellFormed(),
    given: told.length <= mostTold ? told : `${told.slice(0, mostTold).toWellFormed()}…`,
    expected,
  };
}

/** Without control characters, and without a key that was put into the wrong place. */
export const isPlain = (given: string): boolean =>
  given.isWellFormed() && !/\p{Cc}/u.test(given) && hideKeys(given) === given;

type Kind = Pick<Term, "expected" | "schema" | "read" | "blame">;

const text = (isGood: (given: string) => boolean, expected: string): Kind => ({
  expected,
  schema: { type: "string" },
  read: (value) => (typeof value === "string" && isGood(value.trim()) ? value.trim() : undefined),
});

const whole = (most: number): Kind => ({
  expected: `a whole number from 0 to ${most}`,
  schema: { type: "integer", minimum: 0, maximum: most },
  read: (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined,
});

/** Each once, in the order of those that there are: lists of keys then read alike. */
const some = (names: readonly string[], least: 0 | 1 = 0): Kind => {
  const each = list((given) => names.includes(given), names.join(", "));
  return {
    ...each,
    schema: { type: "array", items: { type: "string", enum: [...names] }, minItems: least },
    read: (value) => {
      const given = each.read(value) as string[] | undefined;
      return given === undefined || given.length < least ? undefined : names.filter((name) => given.includes(name));
    },
  };
};

const mostListed = 100;

const list = (isGood: (each: string) => boolean, expected: string): Kind => ({
  expected,
  schema: { type: "array", items: { type: "string" }, maxItems: mostListed },
  read: (value) => {
    const given = textsOf(value);
    return given !== undefined && given.length <= mostListed && given.every(isGood) ? [...new Set(given)] : undefined;
  },
  blame: (value) => {
    const given = textsOf(value);
    if (given === undefined || given.length > mostListed)
      return { given: value, expected: `a list of at most ${mostListed}: ${expected}` };
    return { given: given.find((each) => !isGood(each)) ?? "", expected };
  },
});

const textsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;

const isHistory = (given: string): boolean => given === "" || isDay(given) || /^[1-9]\d{0,4}d$/.test(given);

const isRate = (value: unknown): value is number =>
  value === 0 || (typeof value === "number" && value >= rates.min && value <= rates.max);

/** As a browser sends it: no path, no default port. */
const isOrigin = (given: string): boolean =>
  /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given;
