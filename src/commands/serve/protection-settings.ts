// Protection limits from settings.
import type { Config } from "../../config.ts";
import { defaultProtection, type ProtectionLimits } from "../../http/protection/protection.ts";
import { networkMatcher } from "../../keys/networks.ts";
import { isPostgres, parseList } from "../../settings/setting.ts";

/** Large pages served concurrently. */
function largePageConcurrency(config: Config): number {
  // PostgreSQL reads pages concurrently; most connections are reserved for small ones.
  if (isPostgres(config.get("database"))) return Math.max(1, Math.floor(Number(config.get("pool-size")) / 4));
  // One is sent while a thread reads the next.
  return 2;
}

export function protectionLimits(config: Config): ProtectionLimits {
  const proxies = parseList(config.get("proxies"));
  const { slowClientLimits, largePages } = defaultProtection;
  return {
    ...defaultProtection,
    connections: {
      total: Number(config.get("connections")),
      perAddress: Number(config.get("address-connections")),
      ...(proxies.length === 0 ? {} : { isShared: networkMatcher(proxies) }),
    },
    slowClientLimits: { ...slowClientLimits, bufferedBytes: Number(config.get("waiting-megabytes")) * 1e6 },
    largePages: { ...largePages, concurrency: largePageConcurrency(config) },
    keyConcurrency: Number(config.get("key-concurrency")),
    keyStreams: Number(config.get("key-streams")),
    lagMs: Number(config.get("busy-ms")),
  };
}
