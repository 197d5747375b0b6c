// The command line: finds the command, reads its flags, shows help, and turns mistakes into plain words.
import { parseArgs } from "node:util";
import { backupCommand } from "./commands/backup.ts";
import { type Command, complain, type Invocation, say } from "./commands/command.ts";
import { configCommand } from "./commands/config.ts";
import { copyCommand } from "./commands/copy.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { explainCommand } from "./commands/explain.ts";
import { exportCommand } from "./commands/export.ts";
import { feedCommand } from "./commands/feed.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { mirrorCommand } from "./commands/mirror.ts";
import { PortTakenError } from "./commands/places.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { configure, environmentName, settings, UsageError } from "./config.ts";
import { UnreadableError } from "./ingest/formats/records.ts";
import { IncompatibleError, StoreError } from "./store/store.ts";
import { version } from "./version.ts";

const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  import: importCommand,
  export: exportCommand,
  feed: feedCommand,
  keys: keysCommand,
  explain: explainCommand,
  copy: copyCommand,
  mirror: mirrorCommand,
  backup: backupCommand,
  restore: restoreCommand,
  doctor: doctorCommand,
  config: configCommand,
};

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const [about] = rest;
    if (about !== undefined && !Object.hasOwn(commands, about)) throw new UsageError(unknownCommand(about));
    say(about === undefined ? overview() : helpOf(commands[about] as Command));
    return 0;
  }
  if (name === "version" || name === "--version") {
    say(version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(unknownCommand(name));
  if (rest.includes("--help") || rest.includes("-h")) {
    say(helpOf(command));
    return 0;
  }
  const { values, positionals } = readFlags(command, rest);
  const surplus = positionals[command.mostWords];
  if (surplus !== undefined) throw new UsageError(`unexpected "${surplus}"; usage: bellwire ${command.usage}`);
  const config = configure(values, process.env);
  // Every mistake in a setting is told before anything is done.
  for (const setting of command.settings) config.given(setting);
  return command.run({ words: positionals, options: values, config });
}

const unknownCommand = (name: string): string => `expected one of ${Object.keys(commands).join(", ")}, got "${name}"`;

/** A flag that takes no value: it is given as --no-NAME. */
const isSwitch = (name: string): boolean => name === "demo";

/** An option without a value: it is given or not. */
const isBare = ({ options = {} }: Command, name: string): boolean =>
  options[name] !== undefined && options[name].value === undefined;

function readFlags(command: Command, args: readonly string[]) {
  const names = [...command.settings, ...Object.keys(command.options ?? {})];
  const options = Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: isSwitch(name) || isBare(command, name) ? "boolean" : "string",
        multiple: command.options?.[name]?.repeated === true,
      } as const,
    ]),
  );
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true, strict: true });
    const values = Object.entries(read.values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(",") : value,
    ]);
    return { values: Object.fromEntries(values) as Invocation["options"], positionals: read.positionals };
  } catch (error) {
    throw new UsageError(flagMistake((error as Error).message, args, names));
  }
}

/** The first sentence of the parser names the flag; the rest is advice for programmers. */
function flagMistake(message: string, args: readonly string[], names: readonly string[]): string {
  const [first = ""] = message.split(/\.\s/);
  const [flag = "", name = ""] = /--([\w-]+)/.exec(first) ?? [];
  if (/ambiguous|missing/.test(first)) {
    const { expected = "a value" }: { expected?: string } = Object.hasOwn(settings, name)
      ? settings[name as keyof typeof settings]
      : {};
    const given = args[args.indexOf(flag) + 1];
    return `${flag}: expected ${expected}, got ${given === undefined ? "nothing" : `"${given}"`}`;
  }
  return `${first}; flags of this command: ${names.map((each) => (isSwitch(each) ? `--no-${each}` : `--${each}`)).join(", ")}`;
}

function overview(): string {
  const lines = Object.values(commands).map(({ usage, help }) => `  bellwire ${usage}\n      ${help}`);
  return `Bellwire ${version}: a financial news and calendar data server\n\n${lines.join("\n")}\n\n  bellwire help COMMAND\n      flags of a command`;
}

function helpOf(command: Command): string {
  const flags = [
    ...command.settings.map((name) => {
      const setting: { value: string; help: string; fallback?: string } = settings[name];
      const fallback = setting.fallback ? ` [${setting.fallback}]` : "";
      const variable = environmentName(name);
      return isSwitch(name)
        ? `  --no-${name}\n      ${setting.help}\n      environment: ${variable}=${setting.value}${fallback}`
        : `  --${name} ${setting.value}\n      ${setting.help}${fallback}\n      environment: ${variable}`;
    }),
    ...Object.entries(command.options ?? {}).map(
      ([name, { value, help }]) => `  --${name}${value === undefined ? "" : ` ${value}`}\n      ${help}`,
    ),
  ];
  return `bellwire ${command.usage}\n  ${command.help}\n\n${flags.join("\n")}`;
}

/** Plain words for what a person can mend; a stack only for what is a fault of this program. */
function wordsFor(error: unknown): string {
  const plain = [UsageError, UnreadableError, StoreError, IncompatibleError, PortTakenError];
  if (plain.some((kind) => error instanceof kind)) return (error as Error).message;
  const { syscall, message, stack } = error as NodeJS.ErrnoException;
  // What the system says, such as "ENOENT: no such file or directory, open './x'", needs no stack.
  return syscall === undefined ? (stack ?? String(error)) : message;
}

// The reader of a pipe, such as head, may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** Runs a command line; the exit status tells how it went. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await main(args);
  } catch (error) {
    complain(`bellwire: ${wordsFor(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
