// A test reporter that writes each finished test as one line of JSON, for the process that collects all of them.
import type { TestEvent } from "node:test/reporters";

export type Result = {
  /** The outermost suite. */
  readonly file: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped. */
  readonly reason?: string;
  /** The store that the suite ran on: its name ends in it. */
  readonly store?: "sqlite" | "postgres";
  readonly milliseconds: number;
};

const storeOf = (suites: readonly string[]): Result["store"] =>
  suites.map((name) => /\[(sqlite|postgres)\]$/.exec(name)?.[1]).find(Boolean) as Result["store"];

export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  /** Names of the open suites, by depth. */
  const suites: string[] = [];
  for await (const { type, data } of source) {
    if (type === "test:start") suites.splice(data.nesting, Infinity, data.name);
    if ((type !== "test:pass" && type !== "test:fail") || data.details.type === "suite") continue;
    const store = storeOf(suites.slice(0, data.nesting));
    const skipped = data.skip !== undefined && data.skip !== false;
    const result: Result = {
      file: suites[0] ?? "",
      outcome: skipped ? "skipped" : type === "test:pass" ? "passed" : "failed",
      milliseconds: data.details.duration_ms ?? 0,
      ...(skipped ? { reason: String(data.skip) } : {}),
      ...(store === undefined ? {} : { store }),
    };
    yield `${JSON.stringify(result)}\n`;
  }
}
