// Every setting: its flag, its environment variable BELLWIRE_…, default and help. Read once, at the start of a command.
import { zone } from "./core/zone.ts";
import { logLevels } from "./http/log.ts";

type Setting = {
  readonly value: string;
  readonly help: string;
  /** Undefined: left to the database or to the command. */
  readonly fallback?: string;
  readonly check?: (text: string) => boolean;
  readonly expected?: string;
};

const number = (min: number, max: number) => ({
  check: (text: string) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max,
  expected: `a number from ${min} to ${max}`,
});

const words = (...allowed: readonly string[]) => ({
  check: (text: string) => allowed.includes(text),
  expected: `one of ${allowed.join(", ")}`,
});

/** In the order in which help lists them. */
export const settings = {
  database: { value: "FILE", help: "SQLite database; made when it is not there", fallback: "./data/bellwire.db" },
  host: { value: "HOST", help: "address to listen on", fallback: "127.0.0.1" },
  port: { value: "PORT", help: "port to listen on; 0 takes a free one", fallback: "8080", ...number(0, 65_535) },
  demo: {
    value: "true|false",
    help: "load demo data and make a key named demo when the database is empty (--no-demo: don't)",
    fallback: "true",
    ...words("true", "false"),
  },
  zone: {
    value: "ZONE",
    help: "time zone in which news is printed and its days are counted; kept in the database, at first America/New_York",
    check: (text: string) => zone(text) !== undefined,
    expected: "a time zone such as America/New_York or UTC",
  },
  "calendar-cusip": {
    value: "integer|string",
    help: "how cusip is answered in calendars; kept in the database, at first integer",
    ...words("integer", "string"),
  },
  "cors-origins": {
    value: "LIST",
    help: "sites whose pages may call the API, separated by commas; * for all, empty for none",
    fallback: "*",
    check: (text: string) => text === "*" || listOf(text).every((origin) => /^https?:\/\/[^/]+$/.test(origin)),
    expected: "* or origins such as https://example.com, separated by commas",
  },
  "log-level": {
    value: "LEVEL",
    help: "least level that is logged, on standard error",
    fallback: "info",
    ...words(...logLevels),
  },
  "stop-seconds": {
    value: "SECONDS",
    help: "how long requests under way may take to finish when the server is stopped",
    fallback: "10",
    ...number(0, 3600),
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const environmentName = (name: string): string => `BELLWIRE_${name.toUpperCase().replaceAll("-", "_")}`;

export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** A mistake of the person at the command line: shown without a stack. */
export class UsageError extends Error {}

export type Config = { get(name: SettingName): string; given(name: SettingName): string | undefined };

/** A flag wins over the environment, and both over the default. */
export function configure(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: NodeJS.ProcessEnv,
): Config {
  const given = (name: SettingName): string | undefined => {
    const flag = flags[name];
    const text = flag === undefined ? environment[environmentName(name)] : String(flag);
    if (text === undefined) return undefined;
    const { check, expected }: Setting = settings[name];
    if (check?.(text) === false) {
      const source = flag === undefined ? environmentName(name) : `--${name}`;
      throw new UsageError(`${source}: expected ${expected}, got "${text}"`);
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
