// The page on what keys have used.
import { usageInputs, usagePath } from "../core/usage.ts";
import { usageExample, usageMeanings } from "./openapi-usage.ts";
import { parameterRow } from "./reference-rows.ts";
import { bullets, code, fence, host, page, table } from "./table.ts";

export const usagePage = (): string =>
  page([
    "# Usage",
    "What keys have used, by day, key and resource: with `bellwire keys usage`, and over HTTP, which is an extension of the interface.",
    fence("http", `GET ${usagePath}`),
    fence(
      "sh",
      `curl -sS "${host}${usagePath}?from=2026-01-01&to=2026-01-31&key=acme" \\\n  -H "Authorization: Bearer $BELLWIRE_TOKEN"`,
    ),
    fence("json", JSON.stringify(usageExample, undefined, 2)),
    bullets(
      "**Key.** One with the scope `admin`, in the `Authorization` header only.",
      "**Fresh.** Each process writes its counts every two seconds and when it is stopped. What is lost with a process that is killed is no more than that.",
      "**Nobody's.** Requests without a good key count for no key.",
    ),
    "## Parameters",
    table(["Name", "Type", "Default", "Allowed", "Meaning"], Object.values(usageInputs).map(parameterRow)),
    "## Answer",
    table(
      ["Name", "Meaning"],
      usageMeanings.map(([name, meaning]) => [code(name), meaning]),
    ),
    "Refusals that all requests share are on the page [Errors](errors.md). What limits are and how they are counted: [Limits](../operations/limits.md).",
  ]);
