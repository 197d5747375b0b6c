// The filters of a stream, for random requests: the rules of its list without pages and orders.
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { streamParameters } from "../../../src/core/query/stream.ts";

export const filtersOf = (resource: Resource): Resource => {
  const accepted = streamParameters(resource).flatMap(({ names }) => names);
  const isFilter = ({ parameters }: Resource["rules"][number]) =>
    Object.values(parameters).every(({ names }) => accepted.includes(names[0]));
  return { ...resource, rules: resource.rules.filter(isFilter) };
};
