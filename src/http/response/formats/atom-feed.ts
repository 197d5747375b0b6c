// A page as a feed (Atom, RFC 4287): an entry per record, in the order of the list.
import type { EntryDescription } from "../../../core/output/feed-entry.ts";
import { isWebAddress } from "../../../core/output/web-address.ts";
import { listKey } from "../../../core/query/plan.ts";
import type { ParsedQuery } from "../../../core/query/planner.ts";
import { uuidOf } from "../../../core/record/derived-id.ts";
import type { Json, WireRecord } from "../../../core/record/row.ts";
import { parseInstant } from "../../../core/value/time-zone.ts";
import { isoTime } from "../../../core/value/timestamp.ts";
import type { ListUrls } from "../../headers/link.ts";
import { escapeXml } from "./xml-escape.ts";

const service = "Bellwire";

export function atomFeed(
  { listing, plan, requested = plan, view }: ParsedQuery,
  records: readonly WireRecord[],
  urls: ListUrls | undefined,
  cursor: string | undefined,
): string {
  const { entry: description, title, fields } = listing;
  if (description === undefined) throw new Error(`records of ${listing.name} are no entries`);
  const textType = view.transforms.some(({ name }) => name === description.plainWith) ? "text" : "html";
  const category = fields[description.categories]?.mainMember ?? "name";
  const entries = records.map((record) => entryOf(record, plan.resource.name, { description, textType, category }));
  const updated = records.map((record) => secondsOf(record[description.updated]));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element("id", `urn:uuid:${uuidOf(`feed ${listKey(requested)}`)}`),
    element("title", title),
    element("updated", isoTime(Math.max(0, ...updated))),
    element("generator", service),
    // For entries without their own.
    `<author>${element("name", service)}</author>`,
    ...(urls === undefined ? [] : [link("self", urls.self(), "application/atom+xml")]),
    ...(urls === undefined || cursor === undefined ? [] : [link("next", urls.next(cursor), "application/atom+xml")]),
    ...entries,
    "</feed>\n",
  ].join("\n");
}

type Form = {
  readonly description: EntryDescription;
  readonly textType: "text" | "html";
  /** Member that names a category. */
  readonly category: string;
};

function entryOf(record: WireRecord, kind: string, { description, textType, category }: Form): string {
  const text = (field: string): string => String(record[field] ?? "");
  const { title, updated, published, author, url, summary, content, categories } = description;
  const hasUrl = isWebAddress(text(url));
  const parts = [
    element("id", `urn:uuid:${uuidOf(`${kind} ${record.id}`)}`),
    element("title", text(title)),
    element("updated", isoTime(secondsOf(record[updated]))),
    element("published", isoTime(secondsOf(record[published]))),
    ...(text(author) === "" ? [] : [`<author>${element("name", text(author))}</author>`]),
    ...(hasUrl ? [link("alternate", new URL(text(url)).href, "text/html")] : []),
    ...((record[categories] ?? []) as readonly WireRecord[]).map(
      (each) => `<category term="${attribute(String(each[category]))}"/>`,
    ),
    ...(text(summary) === "" ? [] : [element("summary", text(summary), textType)]),
    // Required of an entry without a link.
    ...(text(content) === "" && hasUrl ? [] : [element("content", text(content), textType)]),
  ];
  return `<entry>${parts.join("")}</entry>`;
}

const element = (name: string, text: string, type?: string): string =>
  `<${name}${type === undefined ? "" : ` type="${type}"`}>${escapeXml(text)}</${name}>`;

const link = (rel: string, href: string, type: string): string =>
  `<link rel="${rel}" type="${type}" href="${attribute(href)}"/>`;

/** Parsers turn line breaks and tabs of attributes into spaces. */
const attribute = (text: string): string => escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");

const secondsOf = (value: Json | undefined): number => parseInstant(String(value)) ?? 0;
