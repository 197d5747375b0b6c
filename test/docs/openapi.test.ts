// The OpenAPI document says what the catalogue says, and is valid by an outside judge.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { codesOf, problems } from "../../src/core/problem.ts";
import { inputsOf, shownFields } from "../../src/docs/example.ts";
import { openapi } from "../../src/docs/openapi.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/extensions.ts";

type Parameter = {
  name: string;
  in: string;
  description: string;
  schema: Record<string, unknown>;
  style?: string;
  explode?: boolean;
  examples: { example: { value: unknown } };
};
type Content = Record<string, { schema: { $ref: string }; example?: unknown; examples?: Record<string, unknown> }>;
type Response = { headers?: Record<string, unknown>; content: Content };
type Operation = {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, Response | { $ref: string }>;
};
type Shape = { type: string; properties: Record<string, Record<string, unknown>>; required?: string[] };
type Document = {
  info: { license: object; version: string };
  servers: { url: string }[];
  security: object[];
  paths: Record<string, Record<"get" | "post" | "patch" | "delete", Operation>>;
  components: {
    schemas: Record<string, Shape>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, object>;
  };
};

const made = openapi(catalog, { version: "1.2.3" }, extensions);
const document = made as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const operationOf = (path: string): Operation => document.paths[path]?.get ?? assert.fail(`no operation at ${path}`);
const parametersOf = (path: string): Parameter[] =>
  operationOf(path).parameters.filter((each) => "name" in each) as Parameter[];
const recordOf = (path: string): Shape => {
  const name = operationOf(path).operationId.replace(/^list/, "");
  return document.components.schemas[`${name}Record`] ?? assert.fail(`no record schema for ${path}`);
};

const folder = mkdtempSync(join(tmpdir(), "bellwire-openapi-"));
after(() => rmSync(folder, { recursive: true }));

type Judgement = { totals: { errors: number; warnings: number }; problems: { message: string; ruleId: string }[] };

function lint(given: object): Judgement {
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(given));
  const rules = { "no-invalid-media-type-examples": "error", "no-invalid-parameter-examples": "error" };
  writeFileSync(
    join(folder, "redocly.yaml"),
    JSON.stringify({
      extends: ["recommended"],
      telemetry: "off",
      rules: { ...rules, "no-invalid-schema-examples": "error" },
    }),
  );
  const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
  const run = spawnSync(process.execPath, [redocly, "lint", "openapi.json", "--format=json"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  assert.ok(run.stdout.startsWith("{"), `the linter did not run: ${run.stdout}${run.stderr}`);
  return JSON.parse(run.stdout) as Judgement;
}

test("the document passes the recommended rules of an OpenAPI linter without a warning, examples included", () => {
  const { totals, problems: found } = lint(made);
  assert.deepEqual(
    found.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
  assert.equal(totals.errors + totals.warnings, 0);
});

test("the linter would notice a parameter whose example breaks its limits", () => {
  const broken = structuredClone(made) as Document;
  const page = broken.paths["/api/v2/news"]?.get.parameters[0] as Parameter;
  page.examples.example.value = 100_001;
  assert.deepEqual(
    lint(broken).problems.map(({ ruleId }) => ruleId),
    ["no-invalid-parameter-examples"],
  );
});

test("every resource has one operation at its path, and nothing else asks for a key", () => {
  const open = operations.filter(({ operation }) => operation.security?.length === 0);
  assert.deepEqual(
    open.map(({ path }) => path),
    ["/livez", "/readyz", "/page.json", "/openapi.json"],
  );
  assert.deepEqual(
    operations.filter(({ operation }) => operation.tags[0] === "Records").map(({ path, method }) => [method, path]),
    catalog.map(({ path }) => ["get", path]),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test("writing is described under its own tag, with a key in the header only, every type of body and every problem", () => {
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
  const expected = codesOf("write").map((code) => String(problems[code].status));
  assert.deepEqual(new Set(Object.keys(responses)), new Set(["200", "207", ...expected]));
});

test("keys are administered under a tag of their own, with a key in the header only, and every term is described", () => {
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
  for (const code of codesOf("admin")) assert.ok(met.has(String(problems[code].status)), code);
});

test("lists beside the seven and the change feed are described under tags of their own", () => {
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
    const expected = codesOf("replicate").map((code) => String(problems[code].status));
    assert.deepEqual(new Set(Object.keys(operation.responses)), new Set(["200", ...expected]));
    assert.ok(expected.includes("410"));
  }
});

test("a key may be sent in each of the three ways", () => {
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

for (const resource of [...catalog, ...extensions]) {
  test(`${resource.name}: every input is a parameter with the same limits, words and default`, () => {
    const inputs = inputsOf(resource);
    const parameters = parametersOf(resource.path);
    assert.deepEqual(
      parameters.map(({ name }) => name),
      inputs.map(({ names }) => names[0]),
    );
    for (const [index, input] of inputs.entries()) {
      const parameter = parameters[index] as Parameter;
      assert.equal(parameter.in, input.inPath === true ? "path" : "query");
      assert.deepEqual(parameter.schema, input.schema);
      const isList = input.schema.type === "array";
      assert.deepEqual([parameter.style, parameter.explode], isList ? ["form", false] : [undefined, undefined]);
      for (const other of input.names.slice(1)) assert.match(parameter.description, new RegExp(`\`${other}\``));
      if (input.license) assert.match(parameter.description, new RegExp(`license \`${input.license}\``));
    }
  });

  test(`${resource.name}: the example of every parameter is taken by its input`, () => {
    for (const [index, input] of inputsOf(resource).entries()) {
      const { value } = parametersOf(resource.path)[index]?.examples.example ?? {};
      assert.notEqual(input.decode([value].flat().join(",")), undefined, input.names[0]);
    }
  });

  test(`${resource.name}: every field that can be shown is described, and no other`, () => {
    const { properties } = recordOf(resource.path);
    assert.deepEqual(
      Object.keys(properties),
      shownFields(resource).map(([name]) => name),
    );
    for (const [name, property] of Object.entries(properties)) assert.ok(property.description, name);
  });

  test(`${resource.name}: each status of the problem catalogue has its response, with an example for each code`, () => {
    const { responses } = operationOf(resource.path);
    const expected = new Set(codesOf("read").map((code) => String(problems[code].status)));
    assert.deepEqual(new Set(Object.keys(responses)), new Set(["200", "304", ...expected]));
    for (const code of codesOf("read")) {
      const { status } = problems[code];
      const reference = (responses[String(status)] as { $ref: string }).$ref;
      const { content } = document.components.responses[reference.split("/").at(-1) ?? ""] ?? assert.fail(reference);
      assert.ok(content["application/problem+json"]?.examples?.[code], code);
      assert.equal("application/problem+xml" in content, resource.formats.includes("xml"), code);
    }
  });

  test(`${resource.name}: a good answer has the formats, headers and envelope of the resource`, () => {
    const { headers, content } = operationOf(resource.path).responses["200"] as Response;
    assert.deepEqual(Object.keys(headers ?? {}), [
      ...["X-Request-Id", "ETag", "Link", "Vary", "X-Ignored-Parameters", "RateLimit-Policy", "RateLimit"],
      ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    ]);
    assert.deepEqual(
      Object.keys(content),
      resource.formats.map((format) => `application/${format}`),
    );
    const example = content["application/json"]?.example;
    const [record] = (resource.envelope === "array" ? example : Object.values(example as object)[0]) as object[];
    if (resource.envelope !== "array") assert.deepEqual(Object.keys(example as object), [resource.envelope.key]);
    assert.deepEqual(
      Object.keys(record ?? {}),
      shownFields(resource).flatMap(([name, { shown }]) => (shown === "always" ? [name] : [])),
    );
  });
}

test("the schema of a problem knows every code", () => {
  assert.deepEqual(document.components.schemas.Problem?.properties.code?.enum, Object.keys(problems));
});

test("bracketed names are literal, and limits are those of the endpoint", () => {
  const limits = (path: string, name: string) => parametersOf(path).find((each) => each.name === name)?.schema;
  assert.deepEqual(limits("/api/v2.1/calendar/economics", "parameters[importance]"), {
    type: "integer",
    minimum: 1,
    maximum: 3,
  });
  assert.equal(limits("/api/v2.1/calendar/economics", "parameters[tickers]"), undefined);
  assert.equal(limits("/api/v2.1/calendar/conference-calls", "parameters[importance]"), undefined);
  assert.equal(limits("/api/v2.1/calendar/ratings", "parameters[tickers]")?.maxItems, 50);
  assert.deepEqual(limits("/api/v2/news", "pageSize"), { type: "integer", minimum: 1, maximum: 100, default: 15 });
});

test("fields that may be missing are not required: unknown ones, those on request, and all where fields can be chosen", () => {
  const news = recordOf("/api/v2/news").required ?? [];
  assert.ok(news.includes("teaser") && !news.includes("original_id"));
  const earnings = recordOf("/api/v2.1/calendar/earnings").required ?? [];
  assert.ok(earnings.includes("eps_est") && !earnings.includes("cusip"));
  const ratings = recordOf("/api/v2.1/calendar/ratings");
  assert.equal(ratings.required, undefined);
  assert.match(String(ratings.properties.pt_pct_change?.description), /Only when `fields` names it/);
  assert.match(String(ratings.properties.ratings_accuracy?.description), /Only with `fields=\*`/);
});

test("the example of a record is in wire form: printed instants, integer CUSIPs, no hidden members", () => {
  const example = (path: string) =>
    (operationOf(path).responses["200"] as Response).content["application/json"]?.example as never;
  const [item] = example("/api/v2/news") as Record<string, unknown>[];
  assert.equal(item?.created, "Tue, 05 Nov 2024 09:30:00 -0500");
  assert.ok(!JSON.stringify(item?.stocks).includes("primary"));
  const { dividends } = example("/api/v2.2/calendar/dividends") as { dividends: Record<string, unknown>[] };
  assert.equal(typeof dividends[0]?.cusip, "number");
});

test("the document carries its version and license, and asks the server that served it", () => {
  assert.equal(document.info.version, "1.2.3");
  assert.deepEqual(document.info.license, { name: "Apache-2.0", identifier: "Apache-2.0" });
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ["/"],
  );
});
