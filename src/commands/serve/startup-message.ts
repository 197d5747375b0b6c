// Prints the startup message: a key or how to get one, URLs, and finally the `listening on` line.

import type { Store } from "../../store/store.ts";
import { isPageBuilt } from "../../web-files.ts";
import { print } from "../command.ts";
import type { Listening } from "./server-process.ts";

export async function printStartupMessage(
  listening: Listening,
  store: Store,
  demoKey: string | undefined,
): Promise<void> {
  // In one write, so that no log line ends up in between.
  print(startupMessage(listening, await keyLines(listening, store, demoKey), isPageBuilt()).join("\n"));
}

export function startupMessage(
  { address, adminAddress }: Listening,
  keys: readonly string[],
  hasPage: boolean,
): readonly string[] {
  return [
    ...keys,
    hasPage ? `page: ${address}/` : "page: not built; to build it, run: npm run page",
    `reference: ${address}/docs`,
    ...(adminAddress === undefined ? [] : [`administration on ${adminAddress}`]),
    `listening on ${address}`,
  ];
}

async function keyLines({ address }: Listening, store: Store, demoKey: string | undefined): Promise<readonly string[]> {
  if (demoKey === undefined) return [await keyHint(store)];
  const request = `${address}/api/v2/news?token=${demoKey}&pageSize=3`;
  return ["", `demo key (shown only once): ${demoKey}`, "", `try: curl '${request}'`, ""];
}

async function keyHint(store: Store): Promise<string> {
  const hasKey = await store.hasKey().catch(() => undefined);
  if (hasKey === undefined) return "the database is not available yet; requests get a 503 response until it is";
  return hasKey
    ? "keys are shown only once; create another with: bellwire keys create --name NAME"
    : "no key is valid yet; create one with: bellwire keys create --name NAME";
}
