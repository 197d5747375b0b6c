// The OpenAPI document matches the catalog for each resource: parameters, fields, problems, and responses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaTypeOf } from "../../src/core/output/format.ts";
import { codesFor, problems } from "../../src/core/problem.ts";
import { streamOf, streamParameters } from "../../src/core/query/stream.ts";
import { parametersOf, shownFields } from "../../src/docs/example.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import {
  document,
  documentedParameters,
  operationOf,
  type Parameter,
  type Response,
  recordOf,
} from "./openapi-document.ts";

for (const resource of [...catalog, ...extensions]) {
  test(`${resource.name}: every input is a parameter with the same limits, description, and default`, () => {
    const inputs = parametersOf(resource);
    const parameters = documentedParameters(resource.path);
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

  test(`${resource.name}: the example of every parameter is accepted by its input`, () => {
    for (const [index, input] of parametersOf(resource).entries()) {
      const { value } = documentedParameters(resource.path)[index]?.examples.example ?? {};
      assert.notEqual(input.parse([value].flat().join(",")), undefined, input.names[0]);
    }
  });

  test(`${resource.name}: every field that can be returned is described, and no other`, () => {
    const { properties } = recordOf(resource.path);
    assert.deepEqual(
      Object.keys(properties),
      shownFields(resource).map(([name]) => name),
    );
    for (const [name, property] of Object.entries(properties)) assert.ok(property.description, name);
  });

  test(`${resource.name}: each status of the problem catalog has a response, with an example for each code`, () => {
    const { responses } = operationOf(resource.path);
    const expected = new Set(codesFor("read").map((code) => String(problems[code].status)));
    assert.deepEqual(new Set(Object.keys(responses)), new Set(["200", "304", ...expected]));
    for (const code of codesFor("read")) {
      const { status } = problems[code];
      const reference = (responses[String(status)] as { $ref: string }).$ref;
      const { content } = document.components.responses[reference.split("/").at(-1) ?? ""] ?? assert.fail(reference);
      assert.ok(content["application/problem+json"]?.examples?.[code], code);
      assert.equal("application/problem+xml" in content, resource.formats.includes("xml"), code);
    }
  });

  test(`${resource.name}: a successful response has the formats, headers, and envelope of the resource`, () => {
    const { headers, content } = operationOf(resource.path).responses["200"] as Response;
    assert.deepEqual(Object.keys(headers ?? {}), [
      ...["X-Request-Id", "Age", "ETag", "Link", "Vary"],
      // Extensions have no stream.
      ...("table" in resource ? [] : ["X-Stream-Position"]),
      ...["X-Ignored-Parameters", "X-Adjusted-Parameters", "X-Hint"],
      ...["RateLimit-Policy", "RateLimit"],
      ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    ]);
    assert.deepEqual(
      Object.keys(content),
      resource.formats.map((format) => mediaTypeOf(format)),
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

for (const resource of catalog) {
  test(`${resource.name}: its stream has the parameters of the list except for pages and orders, and its own problems`, () => {
    const { path } = streamOf(resource);
    const { responses, parameters } = operationOf(path);
    assert.deepEqual(
      documentedParameters(path).map(({ name }) => name),
      [...streamParameters(resource).map(({ names }) => names[0])],
    );
    assert.ok(JSON.stringify(parameters).includes("#/components/parameters/LastEventId"));
    const statuses = new Set(codesFor("stream").map((code) => String(problems[code].status)));
    assert.deepEqual(new Set(Object.keys(responses)), new Set(["200", ...statuses]));
  });
}

test("bracketed names are literal, and limits are those of the endpoint", () => {
  const limits = (path: string, name: string) => documentedParameters(path).find((each) => each.name === name)?.schema;
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

test("fields that may be missing are not required: unknown ones, those on request, and all if fields can be selected", () => {
  const news = recordOf("/api/v2/news").required ?? [];
  assert.ok(news.includes("teaser") && !news.includes("original_id"));
  const earnings = recordOf("/api/v2.1/calendar/earnings").required ?? [];
  assert.ok(earnings.includes("eps_est") && !earnings.includes("cusip"));
  const ratings = recordOf("/api/v2.1/calendar/ratings");
  assert.equal(ratings.required, undefined);
  assert.match(String(ratings.properties.pt_pct_change?.description), /Only when `fields` names it/);
  assert.match(String(ratings.properties.ratings_accuracy?.description), /Only with `fields=\*`/);
});

test("the example of a record is in wire format: printed instants, integer CUSIPs, no hidden members", () => {
  const example = (path: string) =>
    (operationOf(path).responses["200"] as Response).content["application/json"]?.example as never;
  const [item] = example("/api/v2/news") as Record<string, unknown>[];
  assert.equal(item?.created, "Tue, 05 Nov 2024 09:30:00 -0500");
  assert.ok(!JSON.stringify(item?.stocks).includes("primary"));
  const { dividends } = example("/api/v2.2/calendar/dividends") as { dividends: Record<string, unknown>[] };
  assert.equal(typeof dividends[0]?.cusip, "number");
});
