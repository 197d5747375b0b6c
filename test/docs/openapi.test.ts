// The OpenAPI document as a whole: every operation under its tag, and valid according to an independent linter.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { codesFor, problems } from "../../src/core/problem.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { type Document, document, made, type Parameter } from "./openapi-document.ts";
import { type Judgment, redocly } from "./redocly.ts";

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const folder = mkdtempSync(join(tmpdir(), "bellwire-openapi-"));
after(() => rmSync(folder, { recursive: true }));

function lint(input: object): Judgment {
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(input));
  const rules = { "no-invalid-media-type-examples": "error", "no-invalid-parameter-examples": "error" };
  writeFileSync(
    join(folder, "redocly.yaml"),
    JSON.stringify({
      extends: ["recommended"],
      telemetry: "off",
      rules: { ...rules, "no-invalid-schema-examples": "error" },
    }),
  );
  return redocly(folder, "openapi.json");
}

test("the document passes the recommended rules of an OpenAPI linter without a warning, including examples", () => {
  const { totals, problems: found } = lint(made);
  assert.deepEqual(
    found.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
  assert.equal(totals.errors + totals.warnings, 0);
});

test("the linter would report a parameter whose example violates its limits", () => {
  const broken = structuredClone(made) as Document;
  const page = broken.paths["/api/v2/news"]?.get.parameters[0] as Parameter;
  page.examples.example.value = 100_001;
  assert.deepEqual(
    lint(broken).problems.map(({ ruleId }) => ruleId),
    ["no-invalid-parameter-examples"],
  );
});

test("every resource has one operation at its path, and nothing else requires a key", () => {
  const open = operations.filter(({ operation }) => operation.security?.length === 0);
  assert.deepEqual(
    open.map(({ path }) => path),
    ["/links/{token}/{file}", "/livez", "/readyz", "/page.json", "/openapi.json", "/asyncapi.json"],
  );
  assert.deepEqual(
    operations.filter(({ operation }) => operation.tags[0] === "Records").map(({ path, method }) => [method, path]),
    catalog.map(({ path }) => ["get", path]),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test("writing is described under a separate tag, with a key only in the header, every media type, and every problem", () => {
  const writing = operations.filter(({ operation }) => operation.tags[0] === "Administration");
  assert.deepEqual(
    writing.map(({ path, method }) => `${method} ${path}`),
    ["post /admin/v1/records/{resource}", "delete /admin/v1/records/{resource}/{id}"],
  );
  for (const { operation } of writing) {
    assert.deepEqual(operation.security, [{ bearer: [] }, { authorization: [] }]);
    assert.deepEqual(
      (operation.parameters[0] as Parameter).schema.enum,
      catalog.map(({ name }) => name),
    );
  }
  const { requestBody, responses } = writing[0]?.operation ?? assert.fail();
  const bodies = requestBody?.content ?? {};
  assert.deepEqual(Object.keys(bodies), ["application/json", "application/x-ndjson", "application/jsonl"]);
  for (const { examples = {} } of Object.values(bodies)) {
    assert.deepEqual(
      Object.keys(examples),
      catalog.map(({ name }) => name),
    );
  }
  const expected = codesFor("write").map((code) => String(problems[code].status));
  assert.deepEqual(new Set(Object.keys(responses)), new Set(["200", "207", ...expected]));
});

test("key administration is described under a separate tag, with a key only in the header, and every term", () => {
  const administered = operations.filter(({ operation }) => operation.tags[0] === "Keys");
  assert.deepEqual(
    administered.map(({ path, method }) => `${method} ${path}`),
    [
      "get /admin/v1/keys",
      "post /admin/v1/keys",
      "get /admin/v1/keys/{name}",
      "patch /admin/v1/keys/{name}",
      "delete /admin/v1/keys/{name}",
      "post /admin/v1/keys/{name}/rotate",
      "get /admin/v1/usage",
    ],
  );
  for (const { operation } of administered)
    assert.deepEqual(operation.security, [{ bearer: [] }, { authorization: [] }]);
  const met = new Set(administered.flatMap(({ operation }) => Object.keys(operation.responses)));
  for (const code of codesFor("admin")) assert.ok(met.has(String(problems[code].status)), code);
});

test("extensions and the change feed are described under separate tags", () => {
  const under = (tag: string) => operations.filter(({ operation }) => operation.tags[0] === tag);
  assert.deepEqual(
    under("Extensions").map(({ path, method }) => [method, path]),
    extensions.map(({ path }) => ["get", path]),
  );
  assert.deepEqual(
    under("Replication").map(({ path, method }) => [method, path]),
    [
      ["get", "/changes"],
      ["get", "/changes/records/{resource}"],
    ],
  );
  for (const { operation } of under("Replication")) {
    assert.deepEqual(operation.security, [{ bearer: [] }, { authorization: [] }]);
    const expected = codesFor("replicate").map((code) => String(problems[code].status));
    assert.deepEqual(new Set(Object.keys(operation.responses)), new Set(["200", ...expected]));
    assert.ok(expected.includes("410"));
  }
});

test("a key can be sent in each of the three ways", () => {
  const named = document.security.flatMap((each) => Object.keys(each));
  assert.deepEqual(
    named.map((name) => {
      const { description: _, ...scheme } = document.components.securitySchemes[name] as { description: string };
      return scheme;
    }),
    [
      { type: "apiKey", in: "query", name: "token" },
      { type: "http", scheme: "bearer" },
      { type: "apiKey", in: "header", name: "Authorization" },
    ],
  );
});

test("the schema of a problem lists every code", () => {
  assert.deepEqual(document.components.schemas.Problem?.properties.code?.enum, Object.keys(problems));
});

test("the document has its version and license, and targets the server that served it", () => {
  assert.equal(document.info.version, "1.2.3");
  assert.deepEqual(document.info.license, { name: "Apache-2.0", identifier: "Apache-2.0" });
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ["/"],
  );
});
