// Laws of every extension: parameter boundaries, ETags, wrong versions, documentation.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Extension } from "../../src/core/catalog/extension.ts";
import type { Parameter } from "../../src/core/catalog/parameter.ts";
import { isUnknownIn } from "../../src/core/output/format.ts";
import { openapi } from "../../src/docs/openapi/openapi.ts";
import { referencePages } from "../../src/docs/reference.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const inputsOf = ({ rules }: Extension): Parameter<unknown>[] =>
  rules.flatMap((rule) => Object.values(rule.parameters));

/** The path with a value for each path parameter. */
const pathOf = ({ path, fields }: Extension, value?: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value ?? String(fields[name]?.example)));

function urlOf(listing: Extension, input: Parameter<unknown>, name: string, value: string): string {
  if (input.inPath === true) return pathOf(listing, value);
  const output = input.formats?.includes("json") === false ? `output=${input.formats[0]}&` : "";
  return `${pathOf(listing)}?${output}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

readingEveryStore("extensions", (test) => {
  for (const listing of extensions) {
    test(`${listing.name}: boundary values are accepted, those beyond are rejected with the value received and what was expected`, async (api) => {
      for (const input of inputsOf(listing)) {
        for (const name of input.names) {
          // Opaque values belong to the request that returned them; removed.test.ts covers them.
          for (const good of input.opaque ? [] : input.valid) {
            const { status, text, headers } = await api.fetch(urlOf(listing, input, name, good));
            assert.equal(status, 200, `${name}=${good} returned ${text}`);
            assert.equal(headers["x-ignored-parameters"], undefined);
          }
          for (const invalid of input.invalid) {
            const errors = await api.errors(urlOf(listing, input, name, invalid));
            const echoed =
              invalid.length <= (input.echoLimit ?? invalid.length) ? invalid : `${invalid.slice(0, input.echoLimit)}…`;
            assert.deepEqual(errors, [{ parameter: name, given: echoed, expected: input.expected }]);
          }
        }
      }
    });

    test(`${listing.name}: an empty parameter counts as absent, and a repeated one is rejected`, async (api) => {
      const path = pathOf(listing);
      const plain = await api.fetch(path);
      for (const input of inputsOf(listing)) {
        const { names, valid, inPath } = input;
        if (inPath === true || isUnknownIn("json", input)) continue;
        for (const name of names.map(encodeURIComponent)) {
          const empty = await api.fetch(`${path}?${name}=&${name.toUpperCase()}=x`);
          assert.deepEqual([empty.text, empty.headers.etag], [plain.text, plain.headers.etag]);
          const twice = await api.errors(`${path}?${name}=${valid[0]}&${name}=`);
          assert.equal(twice[0]?.expected, "to be sent once");
        }
      }
    });

    test(`${listing.name}: an ETag is valid until something changes; HEAD returns the headers of GET`, async (api) => {
      const path = pathOf(listing);
      const { headers, text } = await api.fetch(path);
      assert.match(headers.etag ?? "", /^W\/"/);
      assert.equal(headers["cache-control"], "private, no-cache");
      assert.equal((await api.fetch(path, { "if-none-match": headers.etag ?? "" })).status, 304);
      const authorization = `Bearer ${api.token}`;
      const head = await api.request(path, { method: "HEAD", headers: { authorization } });
      assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", headers.etag]);
      assert.equal(head.headers["content-length"], String(Buffer.byteLength(text)));
    });

    test(`${listing.name}: other versions and methods get the correct ones, and requests without a key are rejected`, async (api) => {
      const path = pathOf(listing);
      for (const version of ["v1", "v2", "v2.1", "v2.2", "v3"]) {
        const other = path.replace(/\/v[^/]*\//, `/${version}/`);
        if (other === path) continue;
        const { status, json } = await api.fetch(other);
        assert.equal(status, 404, other);
        assert.ok(json.detail.endsWith(`is served at ${listing.path}.`), json.detail);
      }
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status, headers } = await api.request(path, { method });
        assert.deepEqual([status, headers.allow], [405, "GET, HEAD"], method);
      }
      assert.equal((await api.request(path)).json.code, "key.missing");
      assert.equal((await api.fetch(`${path}/`)).status, 200);
    });
  }
});

describe("extensions", () => {
  type Operation = { tags: string[]; parameters: { name?: string; in?: string; required?: boolean }[] };
  const { paths } = openapi(catalog, { version: "1" }, extensions) as {
    paths: Record<string, { get?: Operation } | undefined>;
  };
  const pages = referencePages(catalog, extensions);

  for (const listing of extensions) {
    test(`${listing.name} is documented with every parameter and field`, () => {
      const operation = paths[listing.path]?.get;
      assert.deepEqual(operation?.tags, ["Extensions"]);
      const page = pages.get(`${listing.name}.md`) ?? assert.fail("no page");
      assert.match(page, /extension of the interface/);
      assert.ok(pages.get("README.md")?.includes(`(${listing.name}.md)`));
      for (const { names, inPath } of inputsOf(listing)) {
        const found: { in?: string; required?: boolean } | undefined = operation?.parameters.find(
          ({ name }) => name === names[0],
        );
        assert.equal(found?.in, inPath === true ? "path" : "query", names[0]);
        assert.equal(found?.required, inPath);
        assert.ok(page.includes(`\`${names[0]}\``));
      }
      for (const [name, { shown }] of Object.entries(listing.fields))
        assert.equal(page.includes(`| \`${name}\` |`), shown !== "never", name);
    });
  }

  test("no two lists share a name, a path, or a table", () => {
    const all = [...catalog, ...extensions];
    for (const values of [all.map(({ name }) => name), all.map(({ path }) => path)])
      assert.equal(new Set(values).size, values.length);
  });
});
