// Finds the subscribers that a change may concern by the values they filter by, instead of evaluating every filter.
import { fieldOf, type Resource } from "../core/catalog/resource.ts";
import type { Condition } from "../core/query/plan.ts";
import type { Row } from "../core/record/row.ts";
import type { Subscriber } from "./subscriber.ts";

type Value = string | number;

/** A column or kind of link that some subscribers filter by. */
type Dimension = {
  readonly valuesOf: (row: Row) => readonly Value[];
  readonly subscribers: Map<Value, Set<Subscriber>>;
};

type Indexed = { readonly name: string; readonly values: readonly Value[] };

export class SubscriberIndex {
  readonly #resource: Resource;
  readonly #dimensions = new Map<string, Dimension>();
  readonly #unindexed = new Set<Subscriber>();
  readonly #all = new Set<Subscriber>();

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  get all(): ReadonlySet<Subscriber> {
    return this.#all;
  }

  add(subscriber: Subscriber): void {
    this.#all.add(subscriber);
    const indexed = indexedValues(this.#resource, subscriber.plan.where);
    if (indexed === undefined) this.#unindexed.add(subscriber);
    else {
      const { subscribers } = this.#dimension(indexed.name);
      for (const value of indexed.values) {
        const some = subscribers.get(value) ?? new Set();
        subscribers.set(value, some.add(subscriber));
      }
    }
  }

  delete(subscriber: Subscriber): void {
    this.#all.delete(subscriber);
    this.#unindexed.delete(subscriber);
    const indexed = indexedValues(this.#resource, subscriber.plan.where);
    if (indexed === undefined) return;
    const { subscribers } = this.#dimension(indexed.name);
    for (const value of indexed.values) {
      const some = subscribers.get(value);
      some?.delete(subscriber);
      if (some?.size === 0) subscribers.delete(value);
    }
    if (subscribers.size === 0) this.#dimensions.delete(indexed.name);
  }

  /** Every subscriber whose filter may match one of the rows. */
  candidates(rows: readonly Row[]): Set<Subscriber> {
    const found = new Set(this.#unindexed);
    for (const { valuesOf, subscribers } of this.#dimensions.values())
      for (const row of rows)
        for (const value of valuesOf(row)) for (const each of subscribers.get(value) ?? []) found.add(each);
    return found;
  }

  #dimension(name: string): Dimension {
    const known = this.#dimensions.get(name);
    if (known !== undefined) return known;
    const dimension = { valuesOf: valuesOf(this.#resource, name), subscribers: new Map() };
    this.#dimensions.set(name, dimension);
    return dimension;
  }
}

const linkPrefix = "link ";

function valuesOf(resource: Resource, name: string): Dimension["valuesOf"] {
  const link = name.startsWith(linkPrefix) ? resource.links[name.slice(linkPrefix.length)] : undefined;
  if (link !== undefined) return link;
  const field = fieldOf(resource, name);
  return (row) => {
    const value = field.compareKey(row[name] ?? field.empty);
    return value === null ? [] : [value];
  };
}

/** The most selective condition that an index can be built on: links and columns of many values first. */
function indexedValues(resource: Resource, where: readonly Condition[]): Indexed | undefined {
  const found = where.flatMap((condition): Indexed[] => {
    if (condition.op === "linked") return [{ name: `${linkPrefix}${condition.kind}`, values: condition.values }];
    if (condition.op === "in") return [{ name: condition.column, values: condition.values }];
    return condition.op === "eq" ? [{ name: condition.column, values: [condition.value] }] : [];
  });
  return found.find(({ name }) => !resource.lowSelectivity.includes(name)) ?? found[0];
}
