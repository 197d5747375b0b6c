// What a server prints when it is ready: a key or how to get one, where to look, and last that it listens.

import type { Store } from "../../store/store.ts";
import { isPageBuilt } from "../../web-files.ts";
import { say } from "../command.ts";
import type { Listening } from "./server-process.ts";

export async function greet(listening: Listening, store: Store, demoKey: string | undefined): Promise<void> {
  // In one piece: nothing that is logged meanwhile stands between the lines.
  say(greeting(listening, await keyLines(listening, store, demoKey), isPageBuilt()).join("\n"));
}

export function greeting(
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
  if (demoKey === undefined) return [await aboutKeys(store)];
  const request = `${address}/api/v2/news?token=${demoKey}&pageSize=3`;
  return ["", `demo key (shown only now): ${demoKey}`, "", `try: curl '${request}'`, ""];
}

async function aboutKeys(store: Store): Promise<string> {
  const keys = await store.listKeys().catch(() => undefined);
  if (keys === undefined) return "the database is not available yet; requests are answered 503 until it is";
  return keys.some(({ revoked }) => revoked === undefined)
    ? "keys are shown only once; another is made with: bellwire keys create --name NAME"
    : "no key can be used yet; make one with: bellwire keys create --name NAME";
}
