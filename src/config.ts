// Every setting: its flag, its environment variable BELLWIRE_…, default and help. Read once, at the start of a command.
import { UsageError } from "./core/user-error.ts";
import { databaseSettings } from "./settings/database.ts";
import { mirrorSettings } from "./settings/mirror.ts";
import { operationSettings } from "./settings/operations.ts";
import { postgresSettings } from "./settings/postgres.ts";
import { protectionSettings } from "./settings/protection.ts";
import { answerSettings } from "./settings/responses.ts";
import { serverSettings } from "./settings/server.ts";
import type { Setting } from "./settings/setting.ts";
import { writingSettings } from "./settings/writing.ts";

export { UsageError };

/** Group by group; the help of a command lists those it takes in an order of its own. */
export const settings = {
  ...databaseSettings,
  ...serverSettings,
  ...protectionSettings,
  ...answerSettings,
  ...writingSettings,
  ...operationSettings,
  ...postgresSettings,
  ...mirrorSettings,
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const environmentName = (name: string): string => `BELLWIRE_${name.toUpperCase().replaceAll("-", "_")}`;

export type Config = { get(name: SettingName): string; given(name: SettingName): string | undefined };

/** A flag wins over the environment, and both over the default. A command may have shorter names for its flags. */
export function configure(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: NodeJS.ProcessEnv,
  flagOf: (name: SettingName) => string = (name) => name,
): Config {
  const given = (name: SettingName): string | undefined => {
    const flag = flags[flagOf(name)];
    const text = flag === undefined ? environment[environmentName(name)] : String(flag);
    if (text === undefined) return undefined;
    const { check, expected, secret }: Setting = settings[name];
    if (check?.(text) === false) {
      const source = flag === undefined ? environmentName(name) : `--${flagOf(name)}`;
      throw new UsageError(`${source}: expected ${expected}${secret ? "" : `, got "${text}"`}`);
    }
    return text;
  };
  return {
    given,
    get: (name) => {
      const { fallback }: Setting = settings[name];
      return given(name) ?? fallback ?? "";
    },
  };
}
