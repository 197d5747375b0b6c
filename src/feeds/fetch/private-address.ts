// Private addresses: a feed must not lead to one that the operator did not name.
import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const notPublic = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 127],
  // IPv6 addresses with an embedded IPv4 address.
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address is loopback, local, multicast, or otherwise not a public host. */
export const isPrivate = (address: string): boolean => notPublic.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** The IP address in a URL's host; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? undefined : bare;
}

/** For a connection that would lead to a private address. */
export class PrivateAddressError extends Error {}

/** Resolves a name while connecting, so that DNS rebinding can't change it after the check. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    if (addresses.some(({ address }) => isPrivate(address))) {
      return callback(new PrivateAddressError(`${hostname} has a private address`), []);
    }
    const [first] = addresses;
    if (options.all === true || first === undefined) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
