// What may be asked of the change feed and of the snapshot with which a follower begins.
import { choiceOf, freeText, type Input, whole } from "./catalog/parameter.ts";
import { fieldOf, type Resource } from "./catalog/resource.ts";

export const feedPath = "/changes";
export const snapshotPath = ({ name }: Pick<Resource, "name">): string => `${feedPath}/records/${name}`;

/** How long changes and removals can be learned of, unless the setting `change-days` says otherwise. */
export const defaultChangeDays = 30;

/** Most lines or records of one answer. */
export const mostInAnswer = 1000;

export const feedInputs = (catalog: readonly Resource[]) => ({
  after: whole(
    "after",
    "Position in the change log: the lines after it are given. 0 is the beginning; later, next of the answer before",
    0,
    Number.MAX_SAFE_INTEGER,
    0,
  ),
  resource: choiceOf(
    "resource",
    "Lines of this resource alone; the position moves past those of the others",
    catalog.map(({ name }) => name),
  ),
  limit: whole("limit", "Most lines of an answer", 1, mostInAnswer, 100),
});

export const snapshotInputs = (resource: Resource) => ({
  after: afterId(resource),
  limit: whole("limit", "Most records of an answer", 1, mostInAnswer, mostInAnswer),
});

const afterDoc = "Identifier: the records after it are given, in the order of identifiers. Next of the answer before";

function afterId(resource: Resource): Input<string | number> {
  const { range, example } = fieldOf(resource, "id");
  if (range !== undefined) return whole("after", afterDoc, range.min, range.max);
  return freeText("after", afterDoc, "an identifier", (id) => id, { good: [String(example)], bad: [] });
}
