// Every setting: its flag, its environment variable BELLWIRE_…, default and help. Read once, at the start of a command.
import { isDay, zone } from "./core/zone.ts";
import { logLevels } from "./http/log.ts";
import { parseRate } from "./mirror/budget.ts";
import { parseLessons } from "./mirror/learn.ts";
import { catalog } from "./resources/catalog.ts";

type Setting = {
  readonly value: string;
  readonly help: string;
  /** Undefined: left to the database or to the command. */
  readonly fallback?: string;
  readonly check?: (text: string) => boolean;
  readonly expected?: string;
  /** May hold a password: never shown back. */
  readonly secret?: boolean;
};

const number = (min: number, max: number) => ({
  check: (text: string) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max,
  expected: `a number from ${min} to ${max}`,
});

const filled = (expected: string) => ({ check: (text: string) => text.trim() !== "", expected });

const words = (...allowed: readonly string[]) => ({
  check: (text: string) => allowed.includes(text),
  expected: `one of ${allowed.join(", ")}`,
});

/** Filters by which a mirror can learn what is never shown; those without a closed set of values need them named. */
const learnable = catalog.flatMap(({ intake }) =>
  Object.entries(intake.learnable).map(([name, { values }]) => (values === undefined ? `${name}=A|B` : name)),
);

/** In the order in which help lists them. */
export const settings = {
  database: {
    value: "DATABASE",
    help: "SQLite file, made when it is not there, or a postgres:// address",
    fallback: "./data/bellwire.db",
    // SQLite takes an empty name for a database that vanishes, and Node.js an empty host for every address.
    ...filled("a SQLite file or a postgres:// address"),
  },
  host: { value: "HOST", help: "address to listen on", fallback: "127.0.0.1", ...filled("a name or an IP address") },
  port: { value: "PORT", help: "port to listen on; 0 takes a free one", fallback: "8080", ...number(0, 65_535) },
  workers: { value: "N", help: "processes that serve", fallback: "1", ...number(1, 256) },
  demo: {
    value: "true|false",
    help: "start without the demo data and the key named demo that an empty database is otherwise given",
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
  "cache-mb": {
    value: "MB",
    help: "memory for answers that are kept until their data changes; 0 keeps none",
    fallback: "64",
    ...number(0, 100_000),
  },
  "log-level": {
    value: "LEVEL",
    help: "least level that is logged, on standard error",
    fallback: "info",
    ...words(...logLevels),
  },
  "change-days": {
    value: "DAYS",
    help: "how long changes and removals can be learned of; 0 keeps them for ever",
    fallback: "30",
    ...number(0, 36_500),
  },
  "write-megabytes": {
    value: "MB",
    help: "largest body of records that is taken at once, unpacked, in millions of bytes",
    fallback: "1000",
    ...number(1, 100_000),
  },
  "atomic-megabytes": {
    value: "MB",
    help: "the same for a body that is kept as a whole or not at all: it is held in memory",
    fallback: "8",
    ...number(1, 1000),
  },
  "stop-seconds": {
    value: "SECONDS",
    help: "how long requests under way may take to finish when the server is stopped",
    fallback: "10",
    ...number(0, 3600),
  },
  replicas: {
    value: "LIST",
    help: "PostgreSQL: postgres:// addresses of read replicas, separated by commas",
    fallback: "",
    check: (text: string) => listOf(text).every((address) => isPostgres(address)),
    expected: "postgres:// addresses, separated by commas",
    secret: true,
  },
  "replica-staleness": {
    value: "SECONDS",
    help: "PostgreSQL: how far behind a replica may be and still be read from",
    fallback: "1",
    ...number(0, 300),
  },
  "pool-size": {
    value: "N",
    help: "PostgreSQL: connections of a process to each server",
    fallback: "10",
    ...number(1, 1000),
  },
  "pool-queue": {
    value: "N",
    help: "PostgreSQL: requests that may wait for a connection; more are answered 503",
    fallback: "200",
    ...number(0, 100_000),
  },
  "statement-seconds": {
    value: "SECONDS",
    help: "PostgreSQL: how long a statement may take before it is stopped",
    fallback: "10",
    ...number(1, 3600),
  },
  "prepare-statements": {
    value: "true|false",
    help: "PostgreSQL: prepare statements by name; false behind a pooler in transaction mode that can't carry them",
    fallback: "true",
    ...words("true", "false"),
  },
  mirror: {
    value: "URL",
    help: "base address of an upstream of this interface that the database is filled from; no demo is loaded then",
    fallback: "",
    check: (text: string) => text === "" || isBaseUrl(text),
    expected: "an address such as https://example.com, without a user, query or fragment",
    secret: true,
  },
  "mirror-token": {
    value: "TOKEN",
    help: "mirror: key of the upstream",
    fallback: "",
    check: (text: string) => /^[!-~]*$/.test(text),
    expected: "a key without blanks",
    secret: true,
  },
  "mirror-token-in": {
    value: "auto|header|query",
    help: "mirror: where the key is sent; auto tries the header, which stays out of logs, and then the query",
    fallback: "auto",
    ...words("auto", "header", "query"),
  },
  "mirror-resources": {
    value: "LIST",
    help: "mirror: resources to follow, separated by commas; empty for all",
    fallback: "",
    check: (text: string) => listOf(text).every((name) => catalog.some((resource) => resource.name === name)),
    expected: `some of ${catalog.map(({ name }) => name).join(", ")}, separated by commas`,
  },
  "mirror-from": {
    value: "DAY",
    help: "mirror: first day to read, YYYY-MM-DD; empty for all that there is",
    fallback: "",
    check: (text: string) => text === "" || isDay(text),
    expected: "a day as YYYY-MM-DD",
  },
  "mirror-budget": {
    value: "RATE",
    help: "mirror: requests that may be sent to the upstream, such as 5/s, 100/m or 1000/h",
    fallback: "5/s",
    check: (text: string) => parseRate(text) !== undefined,
    expected: "a rate such as 5/s, 100/m or 1000/h",
  },
  "mirror-every": {
    value: "TIME",
    help: "mirror: how often the upstream is asked for what has changed, such as 30s or 5m",
    fallback: "30s",
    check: (text: string) => /^[1-9]\d{0,4}[smhd]?$/.test(text),
    expected: "a time such as 30s or 5m",
  },
  "mirror-via": {
    value: "auto|changes|lists",
    help: "mirror: what is read of the upstream; auto takes the change feed where the key may read it",
    fallback: "auto",
    ...words("auto", "changes", "lists"),
  },
  "mirror-recheck-days": {
    value: "DAYS",
    help: "mirror: how many days back the lists are read again now and then for what was missed; 0 for none",
    fallback: "7",
    ...number(0, 36_500),
  },
  "mirror-learn": {
    value: "LIST",
    help: `mirror: attributes that no list shows, learned by asking with each value of a filter, which costs requests; some of ${learnable.join(", ")}, separated by commas`,
    fallback: "",
    check: (text: string) => parseLessons(text, catalog) !== undefined,
    expected: "filters such as importance or content_types=story|report, separated by commas",
  },
} as const satisfies Record<string, Setting>;

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ""
  );
}

export type SettingName = keyof typeof settings;

export const environmentName = (name: string): string => `BELLWIRE_${name.toUpperCase().replaceAll("-", "_")}`;

export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database);

/** A mistake of the person at the command line: shown without a stack. */
export class UsageError extends Error {}

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
