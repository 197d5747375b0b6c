// Networks that a key may be used from, and whether an address lies in one of them.
import { BlockList, isIP } from "node:net";
import { plainAddress } from "../core/access/client-network.ts";

type Network = { readonly address: string; readonly bits: number; readonly family: "ipv4" | "ipv6" };

/** A network as `192.0.2.0/24` or `2001:db8::/32`; an address alone is a network of one. */
function parseNetwork(text: string): Network | undefined {
  const [, address = "", bits] = /^([^/%]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  return length > most ? undefined : { address, bits: length, family: version === 4 ? "ipv4" : "ipv6" };
}

export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

/** Whether an address lies in one of the networks; what is no address lies in none. */
export function addressTest(networks: readonly string[]): (address: string) => boolean {
  // One list for each family: in a common one a network of every IPv4 address holds every IPv6 address too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`not a network: ${text}`);
    lists[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return (given) => {
    const address = plainAddress(given.split("%", 1)[0] ?? "");
    const version = isIP(address);
    const family = version === 4 ? "ipv4" : "ipv6";
    return version !== 0 && lists[family].check(address, family);
  };
}
