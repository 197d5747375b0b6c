// The target of a webhook: a URL of an address that may be connected to.
import { checkHost, guardedLookup, PrivateAddressError } from "../outbound/private-address.ts";

const maxLength = 2000;

export const targetExpected = `an https:// or http:// URL of at most ${maxLength} characters, without credentials and fragment, to a public address or one in --webhook-networks`;

/** Undefined if it is no valid target. A name that can't be resolved now may be later, and is checked for every attempt. */
export async function parseTarget(text: unknown, isAllowed: (address: string) => boolean): Promise<URL | undefined> {
  if (typeof text !== "string" || text.length > maxLength || !URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  if (!/^https?:$/.test(url.protocol) || `${url.username}${url.password}${url.hash}` !== "") return undefined;
  return (await leadsToPrivate(url.hostname, isAllowed)) ? undefined : url;
}

async function leadsToPrivate(hostname: string, isAllowed: (address: string) => boolean): Promise<boolean> {
  try {
    checkHost(hostname, isAllowed);
  } catch {
    return true;
  }
  const error = await new Promise<unknown>((resolve) => guardedLookup(isAllowed)(hostname, {}, resolve));
  return error instanceof PrivateAddressError;
}
