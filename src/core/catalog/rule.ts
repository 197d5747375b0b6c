// Rules: what a request may say. One or more inputs together give one part of the read.

import type { Cursor } from "../query/cursor.ts";
import type { Condition, Order } from "../query/plan.ts";
import type { Json } from "../record/row.ts";
import type { Zone } from "../value/time-zone.ts";
import type { Input } from "./parameter.ts";

/** What becomes of some members of every record on its way out. Its name is part of what makes two requests the same. */
export type Change = {
  readonly name: string;
  readonly members: Readonly<Record<string, (value: Json) => Json>>;
};

export type Part = {
  readonly where?: readonly Condition[];
  /** The first rule of a resource that gives an order decides it: rules are listed in order of precedence. */
  readonly order?: readonly Order[];
  readonly page?: number;
  readonly size?: number;
  /** Where to go on; whether it belongs to the request is known when all of the request is. */
  readonly cursor?: Cursor;
  /** The only fields to answer with. */
  readonly only?: readonly string[];
  /** Heavy fields to fill. */
  readonly fill?: readonly string[];
  readonly change?: Change;
  /** Values that are good alone but not together, one for each input concerned. */
  readonly conflicts?: readonly { readonly input: string; readonly expected: string }[];
};

export type Context = { readonly zone: Zone };

// The values of inputs are typed where a rule is written and erased here: machines treat all rules alike.
// biome-ignore lint/suspicious/noExplicitAny: an Input<T> is invariant in T, and every T must fit.
export type Inputs = { readonly [key: string]: Input<any> };

export type Values<I extends Inputs> = {
  [K in keyof I]: I[K] extends Input<infer T> ? (I[K] extends { fallback: T } ? T : T | undefined) : never;
};

/** Inputs that may not be given together, or not without another; told from their presence alone. */
export type Clashes = (given: Pick<ReadonlySet<string>, "has">) => Part["conflicts"] & {};

export type Rule<I extends Inputs = Inputs> = {
  readonly inputs: I;
  readonly clashes: Clashes;
  readonly part: (values: { readonly [key: string]: unknown }, context: Context) => Part;
};

/**
 * A rule of one or more inputs. An input with a fallback is never undefined.
 *
 *     rule({ page: whole("page", "Page number", 0, 100_000, 0) }, ({ page }) => ({ page }))
 */
export function rule<I extends Inputs>(
  inputs: I,
  part: (values: Values<I>, context: Context) => Part,
  clashes: Clashes = () => [],
): Rule<I> {
  return { inputs, clashes, part: (values, context) => part(values as Values<I>, context) };
}
