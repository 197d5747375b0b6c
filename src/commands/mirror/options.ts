// The settings of a mirror, read for `mirror` and for `serve --mirror` alike.
import { type Config, type SettingName, UsageError } from "../../config.ts";
import { systemClock } from "../../mirror/clock.ts";
import { parseProbes } from "../../mirror/lists/discover.ts";
import type { MirrorOptions } from "../../mirror/mirror.ts";
import { parseRate } from "../../mirror/upstream/request-budget.ts";
import { catalog } from "../../resources/catalog.ts";
import { listOf } from "../../settings/setting.ts";
import { durationOf } from "../shared/duration.ts";

export type MirrorSetting = Extract<SettingName, `mirror${string}`>;

type Read = Omit<MirrorOptions, "store" | "batchSize" | "once" | "adopt" | "signal" | "log" | "onIngested">;

/** Recent days are read again this often where the upstream does not tell of removals. */
const recheckSeconds = 6 * 3600;

/** Undefined when no upstream is named. */
export function mirrorOptions(config: Config): Read | undefined {
  const address = config.get("mirror");
  if (address === "") return undefined;
  const token = config.get("mirror-token");
  if (token === "") throw new UsageError("BELLWIRE_MIRROR_TOKEN: expected the key of the upstream, there or as a flag");
  const names = listOf(config.get("mirror-resources"));
  const from = config.get("mirror-from");
  const rate = parseRate(config.get("mirror-budget"));
  if (rate === undefined) throw new Error("a budget that was checked is no rate");
  return {
    resources: names.length === 0 ? catalog : catalog.filter(({ name }) => names.includes(name)),
    base: new URL(address),
    token,
    tokenIn: config.get("mirror-token-in") as MirrorOptions["tokenIn"],
    rate,
    floor: from === "" ? undefined : from,
    everyMs: durationOf("every", config.get("mirror-every"), 1, 86_400) * 1000,
    via: config.get("mirror-via") as MirrorOptions["via"],
    reconcile: { days: Number(config.get("mirror-recheck-days")), everySeconds: recheckSeconds },
    probes: parseProbes(config.get("mirror-learn"), catalog) ?? new Map(),
    clock: systemClock,
  };
}
