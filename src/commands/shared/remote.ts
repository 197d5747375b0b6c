// A server that a command talks to over HTTP: its base URL, and a key.
import { settings, UsageError } from "../../config.ts";
import type { Invocation, Option } from "../command.ts";

export type Remote = { readonly base: string; readonly token: string };

export const remoteOptions: Readonly<Record<string, Option>> = {
  token: { value: "TOKEN", help: "API key\n      environment: BELLWIRE_TOKEN" },
};

/** Throws a UsageError without a base URL or a key; a key is never repeated. */
export function remoteOf({ args: [url = ""], options }: Invocation): Remote {
  if (url === "" || !settings.mirror.check(url)) throw new UsageError(`URL: expected ${settings.mirror.expected}`);
  const token = String(options.token ?? process.env.BELLWIRE_TOKEN ?? "");
  if (token === "" || !settings["mirror-token"].check(token))
    throw new UsageError("--token or BELLWIRE_TOKEN: expected an API key");
  return { base: url.replace(/\/+$/, ""), token };
}
