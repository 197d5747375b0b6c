// Attributes that are never shown, learned by asking with each filter: which records does it find? It costs requests.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Parameters, Upstream } from "../upstream/upstream.ts";
import { idOf, type List, type Walked, walk } from "./walk.ts";

/** A filter and the values to ask it with. */
export type Lesson = {
  readonly parameter: string;
  readonly field: string;
  /** A record may have several of the values. */
  readonly many: boolean;
  readonly values: readonly string[];
};

/** `importance,content_types=story|report`: names of filters, with values where they are no closed set. */
export function parseLessons(text: string, resources: readonly Resource[]): ReadonlyMap<string, Lesson[]> | undefined {
  const lessons = new Map<string, Lesson[]>();
  for (const item of text.split(",").map((each) => each.trim())) {
    if (item === "") continue;
    const [parameter = "", given] = item.split("=", 2).map((part) => part.trim());
    const named = given
      ?.split("|")
      .map((value) => value.trim())
      .filter((value) => value !== "");
    const resource = resources.find(({ intake }) => Object.hasOwn(intake.learnable, parameter));
    const known = resource?.intake.learnable[parameter];
    const values = named ?? known?.values ?? [];
    if (resource === undefined || known === undefined || values.length === 0) return undefined;
    const { field, many } = known;
    lessons.set(resource.name, [...(lessons.get(resource.name) ?? []), { parameter, field, many, values }]);
  }
  return lessons;
}

/** What was learned of each record, by its id. */
export type Learned = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Asks for the same records with each value of each filter. */
export async function learn(
  ask: Upstream["ask"],
  list: List,
  parameters: Parameters,
  lessons: readonly Lesson[],
): Promise<Learned | Exclude<Walked, { end: "complete" }>> {
  const learned = new Map<string, Record<string, unknown>>();
  for (const { parameter, field, many, values } of lessons) {
    for (const value of values) {
      const walked = await walk(ask, list, [...parameters, [parameter, value]], async ({ records }) => {
        for (const record of records) {
          const id = idOf(record);
          if (id === undefined) continue;
          const known = learned.get(id) ?? {};
          const before = (known[field] ?? []) as readonly string[];
          known[field] = many ? [...new Set([...before, value])] : value;
          learned.set(id, known);
        }
      });
      if (walked.end !== "complete") return walked;
    }
  }
  return learned;
}

export function withLearned(record: unknown, learned: Learned): unknown {
  const known = learned.get(idOf(record) ?? "");
  return known === undefined ? record : { ...(record as object), ...known };
}
