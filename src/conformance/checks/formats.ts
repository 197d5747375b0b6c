// A list that can be XML has the same records as in JSON, well-formed.
import type { Json, WireRecord } from "../../core/record/row.ts";
import { canonical, shown } from "../compare.ts";
import type { Context } from "../context.ts";
import { queryText, recordsIn, urlOf } from "../target.ts";
import { widest } from "../universe.ts";
import { type Element, forbidden, parseXml } from "../xml.ts";
import type { Check } from "./check.ts";

export const formatsCheck: Check = {
  name: "formats",
  title: "a format is chosen by Accept, and XML has the same records as JSON",
  run: async (context) => {
    const { target } = context;
    const url = urlOf(target.path, queryText([...widest(target), [target.resource.intake.size.name, "50"]]));
    const json = await context.send({ url });
    checkType(context, json, "application/json");
    const all = await context.send({ url, headers: { accept: "*/*" } });
    checkType(context, all, "application/json");
    if (!target.resource.formats.includes("xml")) return checkRefusal(context, url);
    await checkXml(context, url, json.json);
    const weighed = await context.send({ url, headers: { accept: "application/json;q=1, text/xml;q=0" } });
    checkType(context, weighed, "application/json");
    if (context.isStrict) await checkRefusal(context, url, "text/plain");
  },
};

type Exchange = Awaited<ReturnType<Context["send"]>>;

function checkType(context: Context, { request, headers }: Exchange, expected: string): void {
  const received = headers.get("content-type") ?? "nothing";
  if (!received.startsWith(expected)) context.report(request, "unexpected content type", { expected, received });
}

/** The interface: calendars accept only JSON. */
async function checkRefusal(context: Context, url: string, accept = "application/xml"): Promise<void> {
  const exchange = await context.send({ url, headers: { accept } });
  if (context.isStrict) context.expectStatus(exchange, 406, `a format that the list doesn't have: ${accept}`);
}

async function checkXml(context: Context, url: string, json: unknown): Promise<void> {
  const records = recordsIn(context.target.envelope, json) ?? [];
  for (const accept of ["application/xml", "text/xml;q=0.9, application/json;q=0.5"]) {
    const exchange = await context.send({ url, headers: { accept } });
    checkType(context, exchange, "application/xml");
    const document = parseXml(exchange.text);
    if ("error" in document) {
      const received = shown(exchange.text.slice(Math.max(0, document.at - 40), document.at + 40));
      return context.report(exchange.request, `the XML isn't well-formed: ${document.error}`, { received });
    }
    const items = document.root.children;
    if (items.length !== records.length) {
      const counts = { expected: `${records.length} records, as in JSON`, received: `${items.length} records` };
      return context.report(exchange.request, "the XML and the JSON have different records", counts);
    }
    for (const [at, record] of records.entries()) {
      const problem = memberProblem(record, items[at]);
      if (problem !== undefined)
        return context.report(exchange.request, `record ${canonical(record.id)}: ${problem.message}`, problem);
    }
  }
}

type Problem = { readonly message: string; readonly expected: string; readonly received: string };

function memberProblem(record: WireRecord, item: Element | undefined): Problem | undefined {
  const expected = elementsOf(record);
  for (const each of expected) {
    const found = item?.children.find(({ name }) => name === each.name);
    const [one, other] = [canonical(each), canonical(found && plain(found))];
    if (one !== other)
      return { message: `${each.name} differs between XML and JSON`, expected: shown(one), received: shown(other) };
  }
  return undefined;
}

type Plain = { readonly name: string; readonly text: string; readonly children: readonly Plain[] };

const plain = ({ name, text, children }: Element): Plain => ({
  name,
  text: children.length > 0 ? "" : text,
  children: children.map(plain),
});

const elementsOf = (record: { readonly [name: string]: Json }): Plain[] =>
  Object.entries(record).map(([name, value]) => elementOf(name, value));

function elementOf(name: string, value: Json): Plain {
  if (Array.isArray(value)) return { name, text: "", children: value.map((each: Json) => elementOf("item", each)) };
  if (typeof value === "object" && value !== null)
    return { name, text: "", children: elementsOf(value as { readonly [name: string]: Json }) };
  return { name, text: String(value).replace(forbidden, ""), children: [] };
}
