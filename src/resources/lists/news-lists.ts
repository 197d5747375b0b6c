// Lists related to news: one item by ID, and all channels.
import { extension } from "../../core/catalog/extension.ts";
import { inPath, integerParameter } from "../../core/catalog/parameter.ts";
import { rule } from "../../core/catalog/rule.ts";
import { integer, label, maxPacked } from "../../core/catalog/scalar-fields.ts";
import { oldestFirst } from "../../core/query/plan.ts";
import { compareText, type Row, type WireRecord } from "../../core/record/row.ts";
import { normalizeName } from "../../core/text/normalize.ts";
import { asPlainText, displayOutput, news } from "../news.ts";

export const newsItem = extension({
  name: "news-item",
  title: "News item",
  doc: "One news item by its identifier, as a list; empty if there is no such item.",
  path: `${news.path}/{id}`,
  envelope: news.envelope,
  formats: ["json", "xml"],
  fields: news.fields,
  order: news.order,
  table: news,
  rules: [
    rule({ id: inPath(integerParameter("id", "Item identifier", 1, maxPacked)) }, ({ id }) =>
      id === undefined ? {} : { where: [{ op: "eq", column: "id", value: id }] },
    ),
    displayOutput,
    asPlainText,
  ],
  resources: [news.name],
  versions: [news.name],
});

/** Names and IDs; a bound for damaged data. */
const maxChannels = 20_000;

export const newsChannels = extension({
  name: "news-channels",
  title: "News channels",
  doc: "Every channel of a news item, by name: the values of the channels filter of news.",
  path: "/api/v2.1/news/channels",
  envelope: "array",
  fields: {
    id: integer("Channel ID; omitted if no item includes it", { optional: true, example: 17 }),
    name: label("Channel name, as spelled in the newest item", { required: true, example: "Earnings" }),
  },
  order: oldestFirst("name"),
  table: news,
  latestPer: { link: "channel" },
  rules: [rule({}, () => ({ size: maxChannels }))],
  toResponse: channelsOf,
  resources: [news.name],
  versions: [news.name],
});

/** From the latest item of each channel name or ID; names are case-insensitive. */
function channelsOf(items: readonly Row[]): WireRecord[] {
  const found = new Map<string, { name: string; id?: number }>();
  const newestFirst = items.toSorted((a, b) => Number(b.created) - Number(a.created) || Number(b.id) - Number(a.id));
  for (const item of newestFirst) {
    for (const { name, id } of (item.channels ?? []) as readonly { name: string; id?: number }[]) {
      const known = found.get(normalizeName(name)) ?? { name };
      if (known.id === undefined && id !== undefined) known.id = id;
      found.set(normalizeName(name), known);
    }
  }
  return [...found.entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, { name, id }]) => (id === undefined ? { name } : { id, name }));
}
