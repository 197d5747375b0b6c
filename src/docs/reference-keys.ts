// The page on the administration of keys over HTTP: their terms, and every request.

import { plainTerms } from "../core/access/terms.ts";
import { keyPath, keysPath, rotatePath } from "../core/administering.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { offerOf, termsOf } from "../keys/terms.ts";
import { keyExample } from "./openapi-keys.ts";
import { bullets, code, fence, host, page, table } from "./table.ts";

const curl = (path: string, ...more: string[]): string =>
  [`curl -sS "${host}${path}"`, '-H "Authorization: Bearer $BELLWIRE_TOKEN"', ...more].join(" \\\n  ");

export function keysPage(catalog: readonly Resource[]): string {
  return page([
    "# Keys",
    "Keys are made, changed, replaced and revoked with `bellwire keys`, and over HTTP as this page says, which is an extension of the interface. What the terms mean and how keys are best handled is on the page [Keys](../operations/keys.md) of the operator.",
    fence(
      "http",
      [
        `GET ${keysPath}`,
        `POST ${keysPath}`,
        `GET ${keyPath("NAME")}`,
        `PATCH ${keyPath("NAME")}`,
        `DELETE ${keyPath("NAME")}`,
        `POST ${rotatePath("NAME")}`,
      ].join("\n"),
    ),
    bullets(
      "**Key.** One with the scope `admin`, in the `Authorization` header only; a `token` in the query is refused.",
      "**Bodies** are one JSON object of at most 65,536 bytes. A member that means nothing is a mistake, and all mistakes are told at once. `NAME` is percent-encoded.",
      "**Answers** are JSON, never to be kept (`Cache-Control: no-store`). A key stands in the answer that it is made with and in no other.",
    ),
    fence("sh", "export BELLWIRE_TOKEN=$(bellwire keys create --name operator --scope admin)"),
    "## Terms",
    table(["Name", "Default", "Allowed", "Meaning"], termRows(catalog)),
    bullets(
      "`replicate` among the scopes excludes `history` and `delay_minutes`: the change feed shows every record as it comes.",
      "`burst` needs a `rate`.",
      "A new last day is today or later.",
    ),
    "## Making a key",
    fence(
      "sh",
      curl(keysPath, `-d '${JSON.stringify({ name: "acme", owner: "Acme Ltd", resources: ["news"], rate: 5 })}'`),
    ),
    "Answers 201 with the key under `key`, and all of its terms. A name that a key has already is 409, `key.conflict`.",
    "## All keys, and one",
    fence("sh", curl(keysPath)),
    fence("sh", curl(keyPath("acme"))),
    fence("json", JSON.stringify(keyExample, undefined, 2)),
    "`state` is `valid`, `expired`, `revoked`, or `retiring` for a key that was replaced and is good until `revoked`. Such a key has the name of the one that took its place. A name that no key has is 404, `key.absent`.",
    "## Changing terms",
    fence("sh", curl(keyPath("acme"), "-X PATCH", "-d '{\"delay_minutes\":15}'")),
    "Terms that are not given stay. Those of a key that is still retiring change too. The answer is the key as it is now; every process follows within a second.",
    "## Replacing a key",
    fence("sh", curl(rotatePath("acme"), "-d '{\"grace_hours\":24}'")),
    "Answers 201 with a new key of the same name and terms. The old one stays good for `grace_hours`, 24 unless given, 0 for not at all. A key that has expired can't be replaced: 409, `key.conflict`.",
    "## Revoking a key",
    fence("sh", curl(keyPath("acme"), "-X DELETE")),
    "Ends the key, and those that it has replaced, at once. The answer is the key as it is now.",
    "Refusals that all requests share are on the page [Errors](errors.md).",
  ]);
}

function termRows(catalog: readonly Resource[]): string[][] {
  return Object.entries(termsOf(offerOf(catalog))).map(([name, { key, expected, doc, schema }]) => {
    const list = schema.type === "array" ? "a list of: " : "";
    return [code(name), code(JSON.stringify(plainTerms[key])), `${list}${expected}`, doc];
  });
}
