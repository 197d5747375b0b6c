// Paths and parameters of the change feed and its snapshots.
import { enumParameter, integerParameter, type Parameter, textParameter } from "./catalog/parameter.ts";
import { fieldOf, type Resource } from "./catalog/resource.ts";

export const feedPath = "/changes";
export const snapshotPath = ({ name }: Pick<Resource, "name">): string => `${feedPath}/records/${name}`;

/** Default of the setting `change-days`: how long changes and removals are retained. */
export const defaultChangeDays = 30;

/** Entries or records per response. */
export const maxFeedLimit = 1000;

export const feedParameters = (catalog: readonly Resource[]) => ({
  after: integerParameter(
    "after",
    "Position in the change log: entries after it are returned. Start with 0, and continue with next of the previous response",
    0,
    Number.MAX_SAFE_INTEGER,
    0,
  ),
  resource: enumParameter(
    "resource",
    "Only entries of this resource; the position moves past those of others",
    catalog.map(({ name }) => name),
  ),
  limit: integerParameter("limit", "Maximum number of entries", 1, maxFeedLimit, 100),
});

export const snapshotParameters = (resource: Resource) => ({
  after: afterId(resource),
  limit: integerParameter("limit", "Maximum number of records", 1, maxFeedLimit, maxFeedLimit),
});

const afterDoc = "Identifier: records after it are returned, ordered by identifier. Use next of the previous response";

function afterId(resource: Resource): Parameter<string | number> {
  const { range, example } = fieldOf(resource, "id");
  if (range !== undefined) return integerParameter("after", afterDoc, range.min, range.max);
  return textParameter("after", afterDoc, "an identifier", (id) => id, { valid: [String(example)], invalid: [] });
}
