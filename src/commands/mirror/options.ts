// Mirror options from settings, for both `mirror` and `serve --mirror`.
import { type Config, type SettingName, UsageError } from "../../config.ts";
import { systemClock } from "../../lease/clock.ts";
import { parseProbes } from "../../mirror/lists/discover.ts";
import type { MirrorOptions } from "../../mirror/mirror.ts";
import { parseRate } from "../../mirror/upstream/request-budget.ts";
import { catalog } from "../../resources/catalog.ts";
import { parseList } from "../../settings/setting.ts";
import { parseDuration } from "../shared/duration.ts";

export type MirrorSetting = Extract<SettingName, `mirror${string}`>;

type ConfiguredOptions = Omit<
  MirrorOptions,
  "store" | "batchSize" | "once" | "adopt" | "signal" | "log" | "onIngested"
>;

/** Interval of reconciliation when the upstream has no list of removals. */
const reconcileSeconds = 6 * 3600;

/** Undefined when no upstream is configured. */
export function mirrorOptions(config: Config): ConfiguredOptions | undefined {
  const address = config.get("mirror");
  if (address === "") return undefined;
  const token = config.get("mirror-token");
  if (token === "")
    throw new UsageError("BELLWIRE_MIRROR_TOKEN: expected the upstream's API key, in this variable or as a flag");
  const names = parseList(config.get("mirror-resources"));
  const from = config.get("mirror-from");
  const rate = parseRate(config.get("mirror-budget"));
  if (rate === undefined) throw new Error("a validated budget is not a rate");
  return {
    isSubset: names.length > 0,
    resources: names.length === 0 ? catalog : catalog.filter(({ name }) => names.includes(name)),
    base: new URL(address),
    token,
    tokenIn: config.get("mirror-token-in") as MirrorOptions["tokenIn"],
    rate,
    floor: from === "" ? undefined : from,
    everyMs: parseDuration("every", config.get("mirror-every"), 1, 86_400) * 1000,
    via: config.get("mirror-via") as MirrorOptions["via"],
    reconcile: { days: Number(config.get("mirror-recheck-days")), everySeconds: reconcileSeconds },
    probes: parseProbes(config.get("mirror-learn"), catalog) ?? new Map(),
    clock: systemClock,
  };
}
