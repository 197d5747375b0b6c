// Private addresses: neither a feed nor a webhook may lead to one that the operator did not allow.
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
  // IPv6 addresses with an embedded IPv4 address, besides ::ffff:0:0/96, which is checked as IPv4. Loopback is in the first.
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
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

/** For a connection that would lead to an address that isn't allowed. */
export class PrivateAddressError extends Error {}

/** Throws if a URL's host is a literal address that isn't allowed. Names are checked when they are resolved. */
export function checkHost(hostname: string, isAllowed: (address: string) => boolean): void {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && !isAllowed(literal)) throw new PrivateAddressError(`${literal} is a private address`);
}

/** Resolves a name while connecting, so that DNS rebinding can't change it after the check. */
export const guardedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      if (!addresses.every(({ address }) => isAllowed(address))) {
        return callback(new PrivateAddressError(`${hostname} has a private address`), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

/** Whether an address is public, and so allowed for anything that a stranger may have named. */
export const isPublic = (address: string): boolean => !isPrivate(address);
