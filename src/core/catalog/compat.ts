// Compatibility with clients of other implementations: paths, names, values, and responses that a switch adds to a list, as
// data. Nothing here is in effect without the switch.

import type { Extension, Listing } from "./extension.ts";
import type { Parameter } from "./parameter.ts";

export type CompatPath = {
  readonly path: string;
  /** The web page has the same path, and clients that name HTML get the page. */
  readonly isPage: boolean;
};

/** Another name of a parameter; its bare and bracketed forms and other casings are aliases without being listed. */
export type Alias = {
  readonly name: string;
  /** Documented name of the parameter. */
  readonly parameter: string;
  /** Any other value is ignored, and listed as ignored. */
  readonly accepts?: readonly string[];
};

/** Lenient parsing: values of some parameters are rewritten before they are validated. */
export type ValueRule = {
  readonly doc: string;
  readonly applies: (parameter: Parameter<unknown>) => boolean;
  /** The value to validate instead, which may be the same; empty if the parameter doesn't filter. */
  readonly rewrite: (text: string, parameter: Parameter<unknown>) => string;
  /** Without the switch, a header suggests the rewritten value. */
  readonly isHint?: boolean;
};

export type CompatList = {
  readonly listing: Listing;
  /** What is served instead of the list: the same table with further rules, another order or form of the response. */
  readonly variant: Extension;
  readonly paths: readonly CompatPath[];
  readonly aliases: readonly Alias[];
  readonly values: readonly ValueRule[];
};

/** By list. */
export type CompatTable = ReadonlyMap<Listing, CompatList>;

export const rulesFor = ({ values }: Pick<CompatList, "values">, parameter: Parameter<unknown>): readonly ValueRule[] =>
  values.filter(({ applies }) => applies(parameter));

export const queryParameters = ({ rules }: Pick<Listing, "rules">): readonly Parameter<unknown>[] =>
  rules.flatMap(({ parameters }) => Object.values(parameters)).filter(({ inPath }) => inPath !== true);
