// Every parameter of every resource, at its own boundaries: what is accepted, what is rejected with which message, what
// counts as absent.
import assert from "node:assert/strict";
import type { Parameter } from "../../src/core/catalog/parameter.ts";
import type { Resource } from "../../src/core/catalog/resource.ts";
import type { Rule } from "../../src/core/catalog/rule.ts";
import { isUnknownIn } from "../../src/core/output/format.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Api, recordsOf } from "../support/clients/api.ts";
import { crowd, sample } from "../support/records/records.ts";
import { encodeName, goodOf, inputsOf, type Pair, urlOf } from "../support/requests/requests.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

/** A valid value, shorter than a whole URL. */
const shortest = (values: readonly string[]): string => values.toSorted((a, b) => a.length - b.length)[0] ?? "";

/** Valid values of other inputs that an input requires, such as the yield of a yield operation; usually none. */
async function companyOf(api: Api, resource: Resource, rule: Rule, input: Parameter<unknown>): Promise<Pair[]> {
  const format = input.formats?.includes("json") === false ? input.formats[0] : undefined;
  if (format !== undefined) return [["output", format]];
  const alone = await api.fetch(urlOf(resource, [[input.names[0], shortest(goodOf(resource, input))]]));
  if (alone.status === 200) return [];
  const others = Object.values(rule.parameters).filter((other) => other !== input);
  assert.ok(others.length > 0, `${input.names[0]} is rejected alone: ${alone.text}`);
  return others.map((other) => [other.names[0], shortest(goodOf(resource, other))]);
}

const everyInput = (resource: Resource): [Rule, Parameter<unknown>][] =>
  resource.rules.flatMap((rule) =>
    Object.values(rule.parameters).map((input): [Rule, Parameter<unknown>] => [rule, input]),
  );

/** The inputs of a request for JSON: others shape other formats. */
const jsonInputsOf = (resource: Resource) => inputsOf(resource).filter((input) => !isUnknownIn("json", input));

sharingEveryStore("parameters", (test) => {
  for (const resource of catalog) {
    test(`every valid value of every parameter of ${resource.name} is accepted`, async (api) => {
      for (const [rule, input] of everyInput(resource)) {
        const good = goodOf(resource, input);
        assert.ok(good.length > 0, `${input.names[0]} has no good value`);
        const company = await companyOf(api, resource, rule, input);
        for (const name of input.names) {
          for (const value of good) {
            const response = await api.fetch(urlOf(resource, [[name, value], ...company]));
            assert.equal(response.status, 200, `${name}=${value} returned ${response.text}`);
            assert.equal(response.headers["x-ignored-parameters"], undefined);
          }
        }
      }
    });

    test(`every invalid value of every parameter of ${resource.name} is rejected, with the value received and what was expected`, async (api) => {
      for (const [rule, input] of everyInput(resource)) {
        assert.ok(input.invalid.length > 0, `${input.names[0]} has no bad value`);
        const company = await companyOf(api, resource, rule, input);
        for (const parameter of input.names) {
          for (const bad of input.invalid) {
            // Blanks around a value are ignored, but the value is reported as received.
            for (const received of [bad, ` ${bad} `]) {
              const errors = await api.errors(urlOf(resource, [[parameter, received], ...company]));
              assert.deepEqual(errors, [{ parameter, given: received, expected: input.expected }]);
            }
          }
        }
      }
    });

    test(`an absent parameter of ${resource.name} means its default, and sending the default changes nothing`, async (api) => {
      await api.has(resource.name, sample(crowd(resource, 120)));
      const { text } = await api.fetch(resource.path);
      assert.ok(recordsOf(JSON.parse(text)).length > 10);
      const withFallback = inputsOf(resource).filter(({ fallback }) => fallback !== undefined);
      assert.ok(withFallback.length >= 2, "page and page size have defaults");
      for (const { names, fallback } of withFallback) {
        for (const name of names) {
          assert.equal((await api.fetch(urlOf(resource, [[name, String(fallback)]]))).text, text, name);
        }
      }
      const all = withFallback.map(({ names, fallback }): Pair => [names[0], String(fallback)]);
      assert.equal((await api.fetch(urlOf(resource, all))).text, text);
    });

    test(`an empty or blank parameter of ${resource.name} counts as absent`, async (api) => {
      await api.has(resource.name, sample(crowd(resource, 60)));
      const plain = await api.fetch(resource.path);
      // An empty value requires no license either.
      const authorization = `Bearer ${await api.key()}`;
      for (const input of jsonInputsOf(resource)) {
        for (const name of input.names.map(encodeName)) {
          const isList = input.isBlank(",");
          for (const empty of [
            name,
            `${name}=`,
            `${name}=+`,
            `${name}=%20%09+`,
            ...(isList ? [`${name}=,+,,%20`] : []),
          ]) {
            const response = await api.fetch(`${resource.path}?${empty}`, { authorization });
            assert.equal(response.status, 200, `${empty} returned ${response.text}`);
            assert.equal(response.text, plain.text, empty);
            assert.equal(response.headers.etag, plain.headers.etag, empty);
            assert.equal(response.headers["x-ignored-parameters"], undefined, empty);
          }
        }
      }
      const everything = jsonInputsOf(resource).flatMap(({ names }) => names.map((name) => `${encodeName(name)}=`));
      assert.equal((await api.fetch(`${resource.path}?${everything.join("&")}`)).text, plain.text);
    });

    test(`a parameter of ${resource.name} that shapes another format is unknown in JSON, whatever its value`, async (api) => {
      const plain = await api.fetch(resource.path);
      const others = inputsOf(resource).filter((input) => isUnknownIn("json", input));
      assert.ok(others.length > 0);
      for (const { names, valid, invalid } of others) {
        for (const value of ["", shortest(valid), shortest(invalid)]) {
          const response = await api.fetch(urlOf(resource, [[names[0], value]]));
          assert.equal(response.text, plain.text);
          assert.equal(response.headers["x-ignored-parameters"], names[0]);
        }
      }
    });

    test(`brackets in names of ${resource.name} may be raw or percent-encoded`, async (api) => {
      await api.has(resource.name, sample(crowd(resource, 60)));
      for (const [rule, input] of everyInput(resource)) {
        const company = await companyOf(api, resource, rule, input);
        for (const name of input.names) {
          const raw = urlOf(resource, [[name, shortest(goodOf(resource, input))], ...company]);
          const expected = await api.fetch(raw);
          assert.equal(expected.status, 200);
          for (const encoded of [
            raw.replaceAll("[", "%5B").replaceAll("]", "%5D"),
            raw.replaceAll("[", "%5b").replaceAll("]", "%5d"),
            raw.replaceAll("[", "%5B"),
          ]) {
            const response = await api.fetch(encoded);
            assert.equal(response.text, expected.text, encoded);
            assert.equal(response.headers.etag, expected.headers.etag, encoded);
          }
        }
      }
    });

    test(`a repeated parameter of ${resource.name} is rejected, whatever its values`, async (api) => {
      for (const input of jsonInputsOf(resource)) {
        const good = shortest(goodOf(resource, input));
        for (const name of input.names) {
          // Raw and encoded brackets are one name, and an empty value is a value here: which one was meant is unknown.
          for (const second of [good, ""]) {
            const first = urlOf(resource, [[name, good]]);
            const url = `${first}&${encodeURIComponent(name)}=${encodeURIComponent(second)}`;
            const [error, ...more] = await api.errors(url);
            assert.deepEqual(more, []);
            assert.deepEqual([error?.parameter, error?.expected], [name, "to be sent once"]);
          }
        }
      }
    });

    test(`both spellings of the page size of ${resource.name} mean the same, and must agree`, async (api) => {
      await api.has(resource.name, sample(crowd(resource, 30)));
      const url = resource.path;
      const seven = await api.fetch(`${url}?pageSize=7`);
      assert.equal(recordsOf(seven.json).length, 7);
      for (const same of ["pagesize=7", "pagesize=7&pageSize=7", "pageSize=07&pagesize=7", "pageSize=7&pagesize="]) {
        assert.equal((await api.fetch(`${url}?${same}`)).text, seven.text, same);
      }
      const errors = await api.errors(`${url}?pageSize=7&pagesize=8`);
      assert.deepEqual(
        errors.toSorted((a, b) => Number(a.given) - Number(b.given)),
        [
          { parameter: "pageSize", given: "7", expected: "the same value as pagesize, or only one of them" },
          { parameter: "pagesize", given: "8", expected: "the same value as pageSize, or only one of them" },
        ],
      );
    });

    test(`all errors of a request for ${resource.name} are reported at once`, async (api) => {
      const wrong = jsonInputsOf(resource).flatMap(({ names, invalid, expected }) =>
        names.map((parameter) => ({ parameter, given: shortest(invalid), expected })),
      );
      const pairs = wrong.map(({ parameter, given }): Pair => [parameter, given]);
      const byName = (a: { parameter: string }, b: { parameter: string }) => (a.parameter < b.parameter ? -1 : 1);
      assert.deepEqual((await api.errors(urlOf(resource, pairs))).sort(byName), wrong.toSorted(byName));
      // An undecodable value is one more error, not the only one.
      const undecodable = { parameter: "zzz", given: "%ZZ", expected: "percent-encoded UTF-8" };
      assert.deepEqual(
        (await api.errors(`${urlOf(resource, pairs)}&zzz=%ZZ`)).sort(byName),
        [...wrong, undecodable].sort(byName),
      );
    });
  }
});
