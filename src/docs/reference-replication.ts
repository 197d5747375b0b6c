// The page on following a server: the change feed, the snapshot before it, and how the two make a copy.

import type { Resource } from "../core/catalog/resource.ts";
import { feedInputs, feedPath, snapshotInputs, snapshotPath } from "../core/feed.ts";
import { feedExample, feedWords, snapshotExample, snapshotWords } from "./openapi-replication.ts";
import { parameterRow } from "./reference-rows.ts";
import { bullets, code, fence, host, page, table } from "./table.ts";

const head = ["Name", "Type", "Default", "Allowed", "Meaning"];
const curl = (path: string): string => `curl -H "Authorization: Bearer $BELLWIRE_TOKEN" "${host}${path}"`;

export function replicationPage(catalog: readonly Resource[]): string {
  const [first, second = first] = catalog;
  if (first === undefined || second === undefined) throw new Error("the catalogue is empty");
  const snapshot = snapshotPath({ name: "RESOURCE" });
  return page([
    "# Replication",
    "All records, with the attributes that lists never show, and all that happens to them later. This is an extension of the interface.",
    fence("http", `GET ${feedPath}\nGET ${snapshot}`),
    `${code("RESOURCE")} is one of ${catalog.map(({ name }) => code(name)).join(", ")}.`,
    bullets(
      "**Key.** One with the scope `replicate`, in the `Authorization` header only; a `token` in the query is refused.",
      "**Answers** are JSON, never to be kept (`Cache-Control: no-store`), compressed when asked for.",
      "**Records** are in import form: what is read here can be imported elsewhere as it is.",
    ),
    fence("sh", "export BELLWIRE_TOKEN=$(bellwire keys create --name follower --scope replicate)"),
    "## Change feed",
    fence("sh", curl(`${feedPath}?after=11&limit=2`)),
    fence("json", JSON.stringify(feedExample(first), undefined, 2)),
    ...feedWords,
    table(head, Object.values(feedInputs(catalog)).map(parameterRow)),
    "## Snapshot",
    fence("sh", curl(`${snapshotPath(first)}?limit=1`)),
    fence("json", JSON.stringify(snapshotExample(first), undefined, 2)),
    ...snapshotWords,
    `Identifiers are numbers for ${code(first.name)} and text elsewhere; ${code("next")} is always text.`,
    table(head, Object.values(snapshotInputs(second)).map(parameterRow)),
    "## A copy that stays true",
    bullets(
      `Ask ${code(snapshot)} for every resource. Remember ${code("last")} and ${code("database")} of the first answer of all.`,
      `Ask ${code(`${feedPath}?after=LAST`)}. For each line, in order: write ${code("record")} under its id, or remove the id when there is no ${code("record")}. Remember ${code("next")} together with what was written.`,
      `When ${code("next")} equals ${code("last")}, wait a little and ask again.`,
      `On 410, or when ${code("database")} is another one, begin again, and in the end remove what the snapshot did not hold.`,
    ),
    "Refusals that all requests share are on the page [Errors](errors.md).",
  ]);
}
