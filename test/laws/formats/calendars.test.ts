// iCalendar of every calendar: an event per record, in the order of the JSON, as two parsers read it.
import assert from "node:assert/strict";
import fc from "fast-check";
import ICAL from "ical.js";
import nodeIcal, { type VEvent } from "node-ical";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { WireRecord } from "../../../src/core/record/row.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type Api, recordsOf } from "../../support/clients/api.ts";
import { firstLook } from "../../support/expected.ts";
import { anyRecord, crowd, sample, seed } from "../../support/records/records.ts";
import { parseUrl, requests, rowsOf, urlOf, widest } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

const calendars = catalog.filter(({ event }) => event !== undefined);

type Event = {
  readonly uid: string;
  readonly start: string;
  readonly summary: string;
  readonly description: string;
  readonly sequence: number;
  readonly minutes: number | undefined;
  readonly status: string;
};

/** Days, or instants as ISO 8601 in UTC. */
function readByIcalJs(text: string): Event[] {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((component) => {
    const { uid, summary, description, sequence, startDate } = new ICAL.Event(component);
    const duration = component.getFirstPropertyValue("duration") as InstanceType<typeof ICAL.Duration> | null;
    return {
      uid,
      start: startDate.toString(),
      summary: summary ?? "",
      description: description ?? "",
      sequence: Number(sequence),
      minutes: duration === null ? undefined : duration.toSeconds() / 60,
      status: String(component.getFirstPropertyValue("status")),
    };
  });
}

function readByNodeIcal(text: string): Pick<Event, "uid" | "summary" | "description" | "status">[] {
  return Object.values(nodeIcal.sync.parseICS(text))
    .filter((each): each is VEvent => each?.type === "VEVENT")
    .map(({ uid, summary, description = "", status = "" }) => ({
      uid,
      summary: String(summary),
      description: String(description),
      status,
    }));
}

const known = (value: unknown): string => (value === undefined || value === 0 || value === false ? "" : String(value));

/** What text loses on its way: line breaks are all alike, and control characters have no form. */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the ones that text can't contain.
  text.replaceAll(/\r\n?|[\x85\u2028\u2029]/g, "\n").replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");

/** Independent of the service's own code, except for the description of the resource. */
function expectedStart({ event }: Resource, record: WireRecord): string {
  const { on = [], time = [] } = event ?? {};
  const day = on.map((each) => known(record[each.day])).find((text) => text !== "") ?? "";
  const clock = time.map((field) => known(record[field])).find((text) => text !== "") ?? "";
  if (!/^([01]\d|2[0-3]):\d\d(:\d\d)?$/.test(clock)) return day;
  const local = Temporal.PlainDateTime.from(`${day}T${clock}`);
  // Offsets had seconds then, which the service rounds to minutes as it prints them.
  if (day < "1901") return "long ago";
  const at = local.toZonedDateTime(firstLook.zone, { disambiguation: "earlier" });
  if (!at.toPlainDateTime().equals(local)) return day;
  return `${day}T${clock}` >= "9999-12-30T19" ? day : at.toInstant().toString();
}

async function agree(api: Api, resource: Resource, url: string): Promise<number> {
  const records: WireRecord[] = recordsOf((await api.fetch(url)).json);
  const { status, text, headers } = await api.fetch(`${url}${url.includes("?") ? "&" : "?"}output=ics`);
  assert.equal(status, 200, `${url} returned ${text}`);
  assert.equal(headers["content-type"], "text/calendar; charset=utf-8");
  for (const line of text.split("\r\n")) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.doesNotMatch(line, /[\r\n]/);
  }
  const all = readByIcalJs(text);
  // node-ical takes a backslash before an n for a line break, even if the backslash itself is escaped.
  const comparable = (each: string) => (each.includes("\\") ? "" : each);
  const others = readByNodeIcal(text);
  assert.deepEqual(
    others.map(({ uid, summary, description, status }, index) => ({
      ...{ uid, status },
      summary: all[index]?.summary.includes("\\") ? "" : summary,
      description: all[index]?.description.includes("\\") ? "" : description,
    })),
    all.map(({ uid, summary, description, status }) => ({
      ...{ uid, status },
      summary: comparable(summary),
      description: comparable(description),
    })),
    url,
  );
  const events = all.filter((each) => each.status !== "CANCELLED");
  assert.deepEqual(
    events.map(({ uid, start }) => [uid, start]),
    records.map((record, index) => [
      `${resource.name}-${encodeURIComponent(String(record.id))}@bellwire`,
      expectedStart(resource, record) === "long ago" ? events[index]?.start : expectedStart(resource, record),
    ]),
    url,
  );
  for (const [index, { sequence, description, minutes, start }] of events.entries()) {
    const record = records[index] ?? assert.fail();
    assert.equal(sequence, Math.max(0, Math.min(2 ** 31 - 1, Number(record.updated) - 946_684_800)));
    assert.equal(minutes, start.includes("T") ? resource.event?.minutes : undefined);
    const details = Object.entries(resource.event?.details ?? {});
    const lines = details.map(([field, label]) => (known(record[field]) === "" ? "" : `${label}: ${record[field]}`));
    assert.equal(description, plain(lines.filter((line) => line !== "").join("\n")));
  }
  return events.length;
}

sharingEveryStore("calendars", (test) => {
  for (const resource of calendars) {
    test(`${resource.name} are the same records as events, with any parameters`, async (api) => {
      for (const field of [
        ...Object.keys(resource.event?.details ?? {}),
        ...(resource.event?.time ?? []),
        ...(resource.event?.on ?? []).map(({ day }) => day),
      ])
        assert.ok(resource.fields[field], `${resource.name} has no ${field}`);
      const records = sample(crowd(resource, 60));
      await api.has(resource.name, records);
      let found = 0;
      const property = fc.asyncProperty(requests(resource, records, rowsOf(resource, records)), async (url) => {
        // Events are made of all fields.
        if (parseUrl(resource, url)?.view.selectedFields === undefined) found += await agree(api, resource, url);
      });
      await fc.assert(property, { seed, numRuns: runs(8, 120) });
      assert.ok(found > 0, "no request found a record");
    });

    test(`any ${resource.name} are read as events by both parsers`, async (api) => {
      const list = fc.uniqueArray(anyRecord(resource), { selector: ({ id }) => id, minLength: 1, maxLength: 12 });
      const property = fc.asyncProperty(list, async (records) => {
        const ids = records.map(({ id }) => String(id));
        const url = urlOf(resource, widest(resource));
        try {
          await api.has(resource.name, records);
          assert.equal(await agree(api, resource, url), records.length);
        } finally {
          await api.store.remove(resource, ids);
        }
        const { text } = await api.fetch(`${url}&output=ics`);
        const canceled = readByIcalJs(text);
        assert.ok(canceled.every(({ status }) => status === "CANCELLED"));
        assert.ok(ids.every((id) => canceled.some(({ uid }) => uid.endsWith(`-${encodeURIComponent(id)}@bellwire`))));
      });
      await fc.assert(property, { seed, numRuns: runs(3, 12) });
    });
  }
});
