// The AsyncAPI document: valid according to an independent linter, complete, and true of what is sent.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { asyncapi } from "../../src/docs/asyncapi.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Body, startApi } from "../support/clients/api.ts";
import { redocly } from "./redocly.ts";

const made: Body = asyncapi(catalog, { version: "1.2.3" });

const folder = mkdtempSync(join(tmpdir(), "bellwire-asyncapi-"));
after(() => rmSync(folder, { recursive: true }));

function problemsOf(document: object): string[] {
  writeFileSync(join(folder, "asyncapi.json"), JSON.stringify(document));
  writeFileSync(join(folder, "redocly.yaml"), JSON.stringify({ extends: ["recommended"], telemetry: "off" }));
  return redocly(folder, "asyncapi.json").problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test("the document is valid according to a linter of AsyncAPI 3", () => {
  assert.deepEqual(problemsOf(made), []);
  const broken = structuredClone(made);
  broken.operations.sendNewsEvents.action = "publish";
  assert.match(problemsOf(broken).join(), /^struct: .*send/);
});

test("every resource has its streams and its webhooks, with the filters of its list", () => {
  for (const { path, messages } of catalog) {
    const channels: Body[] = Object.values(made.channels);
    const addresses = channels.map(({ address }) => address);
    assert.ok(addresses.includes(`${path}/stream`), path);
    assert.ok(addresses.includes(messages?.path ?? `${path}/stream`), path);
  }
  assert.equal(Object.keys(made.channels).filter((name) => name.endsWith("Webhooks")).length, catalog.length);
  const query = made.operations.sendRatingsEvents.bindings.http.query.properties;
  assert.ok("parameters[tickers]" in query && "since" in query);
  assert.ok(!("page" in query));
  assert.ok("tickers" in made.channels.NewsMessages.bindings.ws.query.properties);
});

test("is served next to the OpenAPI document, without a key", async () => {
  const api = await startApi({ asyncapi: made });
  const { status, headers, json } = await api.request("/asyncapi.json");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(json.asyncapi, "3.0.0");
  await api.close();
});

test("events have the members that the document requires, and no others", async () => {
  const api = await startApi();
  for (const resource of catalog) {
    const stream = await api.stream(`${resource.path}/stream`);
    // Lists show primary guidance only, unless a request says otherwise.
    const more = "is_primary" in resource.fields ? { is_primary: "Y" } : {};
    await api.has(resource.name, [{ id: resource.name === "news" ? 1 : "1", ...more }]);
    const [event] = await stream.has(1);
    const name = Object.keys(made.components.messages).find(
      (each) => made.components.messages[each].payload.properties?.resource?.const === resource.name,
    );
    const { payload } = made.components.messages[name ?? ""];
    const record = made.components.schemas[payload.properties.record.$ref.split("/").at(-1)];
    assert.deepEqual(Object.keys(event?.data), Object.keys(payload.properties));
    for (const member of Object.keys(event?.data.record)) assert.ok(member in record.properties, `${name}: ${member}`);
    stream.cut();
  }
  await api.close();
});
