// Parses networks and matches addresses against them.
import { BlockList, isIP } from "node:net";
import { plainAddress } from "../core/access/client-network.ts";

type Network = { readonly address: string; readonly bits: number; readonly family: "ipv4" | "ipv6" };

/** Parses `192.0.2.0/24` or `2001:db8::/32`; a plain address is a network of one. */
function parseNetwork(text: string): Network | undefined {
  const [, address = "", bits] = /^([^/%]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  return length > most ? undefined : { address, bits: length, family: version === 4 ? "ipv4" : "ipv6" };
}

export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

/** Returns a function that tests whether an address is in one of the networks; invalid addresses are in none. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  // One list per family: in a shared one, 0.0.0.0/0 would match every IPv6 address too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`not a network: ${text}`);
    lists[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return (text) => {
    const address = plainAddress(text.split("%", 1)[0] ?? "");
    const version = isIP(address);
    const family = version === 4 ? "ipv4" : "ipv6";
    return version !== 0 && lists[family].check(address, family);
  };
}
