// The page on what a server tells those who run it.
import { metricsPath, statusPath } from "../core/operating.ts";
import { standMeanings, statusExample, statusMeanings } from "./openapi-operations.ts";
import { bullets, code, fence, host, page, table } from "./table.ts";

const authorization = '-H "Authorization: Bearer $BELLWIRE_TOKEN"';
const rows = (meanings: readonly (readonly [string, string])[]) =>
  meanings.map(([name, meaning]) => [code(name), meaning]);

export const operationsPage = (): string =>
  page([
    "# Operations",
    "How a server stands, for those who run it: extensions of the interface.",
    bullets(
      "**Key.** One with the scope `admin`, in the `Authorization` header only.",
      "**Where.** On the port for administration, where there is one (`--admin-port`), and on the other one else.",
    ),
    "## Status",
    fence("sh", `curl -sS "${host}${statusPath}" ${authorization}`),
    fence("json", JSON.stringify(statusExample, undefined, 2)),
    table(["Name", "Meaning"], rows(statusMeanings)),
    "Of each resource:",
    table(["Name", "Meaning"], rows(standMeanings)),
    "## Metrics",
    fence("sh", `curl -sS "${host}${metricsPath}" ${authorization}`),
    "Numbers in the text format of Prometheus, those of all workers together. With `--metrics-open true` no key is needed. Each of them is on the page [Metrics](../operations/metrics.md).",
    "Refusals that all requests share are on the page [Errors](errors.md).",
  ]);
