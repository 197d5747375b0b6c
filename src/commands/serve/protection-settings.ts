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
  const { readers, turns } = defaultProtection;
  return {
    ...defaultProtection,
    connections: {
      all: Number(config.get("connections")),
      ofAddress: Number(config.get("address-connections")),
      ...(proxies.length === 0 ? {} : { isShared: networkMatcher(proxies) }),
    },
    readers: { ...readers, waitingBytes: Number(config.get("waiting-megabytes")) * 1e6 },
    turns: { ...turns, atOnce: largePageConcurrency(config) },
    keyConcurrency: Number(config.get("key-concurrency")),
    lagMs: Number(config.get("busy-ms")),
  };
}
