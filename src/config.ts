// All settings: flag, environment variable BELLWIRE_…, default, and help. Read once, when a command starts.
import { UsageError } from "./core/user-error.ts";
import { databaseSettings } from "./settings/database.ts";
import { mirrorSettings } from "./settings/mirror.ts";
import { operationSettings } from "./settings/operations.ts";
import { postgresSettings } from "./settings/postgres.ts";
import { protectionSettings } from "./settings/protection.ts";
import { responseSettings } from "./settings/responses.ts";
import { serverSettings } from "./settings/server.ts";
import type { Setting } from "./settings/setting.ts";
import { webhookSettings } from "./settings/webhooks.ts";
import { writeSettings } from "./settings/writing.ts";

export { UsageError };

/** Grouped by topic; each command's help has its own order. */
export const settings = {
  ...databaseSettings,
  ...serverSettings,
  ...protectionSettings,
  ...responseSettings,
  ...webhookSettings,
  ...writeSettings,
  ...operationSettings,
  ...postgresSettings,
  ...mirrorSettings,
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const environmentName = (name: string): string => `BELLWIRE_${name.toUpperCase().replaceAll("-", "_")}`;

export type Config = { get(name: SettingName): string; provided(name: SettingName): string | undefined };

/** A flag takes precedence over the environment, and both over the default. A command may use shorter flag names. */
export function configure(
  flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>,
  environment: NodeJS.ProcessEnv,
  flagName: (name: SettingName) => string = (name) => name,
): Config {
  const provided = (name: SettingName): string | undefined => {
    const flag = flags[flagName(name)];
    const text = flag === undefined ? environment[environmentName(name)] : String(flag);
    if (text === undefined) return undefined;
    const { check, expected, secret }: Setting = settings[name];
    if (check?.(text) === false) {
      const source = flag === undefined ? environmentName(name) : `--${flagName(name)}`;
      throw new UsageError(`${source}: expected ${expected}${secret ? "" : `, got "${text}"`}`);
    }
    return text;
  };
  return {
    provided,
    get: (name) => {
      const { fallback }: Setting = settings[name];
      return provided(name) ?? fallback ?? "";
    },
  };
}
