#!/usr/bin/env node
// The command line: finds the command, reads its flags, shows help, and turns mistakes into plain words.
import { parseArgs } from "node:util";
import { type Command, complain, say } from "./commands/command.ts";
import { explainCommand } from "./commands/explain.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { serveCommand } from "./commands/serve.ts";
import { configure, environmentName, settings, UsageError } from "./config.ts";
import { StoreError } from "./store/store.ts";
import { version } from "./version.ts";

const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  import: importCommand,
  export: exportCommand,
  keys: keysCommand,
  explain: explainCommand,
};

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    say(rest[0] !== undefined && Object.hasOwn(commands, rest[0]) ? helpOf(commands[rest[0]] as Command) : overview());
    return 0;
  }
  if (name === "version" || name === "--version") {
    say(version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`expected one of ${Object.keys(commands).join(", ")}, got "${name}"`);
  if (rest.includes("--help") || rest.includes("-h")) {
    say(helpOf(command));
    return 0;
  }
  const { values, positionals } = readFlags(command, rest);
  return command.run({ words: positionals, options: values, config: configure(values, process.env) });
}

function readFlags(command: Command, args: readonly string[]) {
  const boolean = (name: string) => name === "demo";
  const names = [...command.settings, ...Object.keys(command.options ?? {})];
  const options = Object.fromEntries(
    names.map((name) => [name, { type: boolean(name) ? "boolean" : "string" } as const]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true, strict: true });
  } catch (error) {
    // The first sentence names the flag; the rest is advice for programmers.
    const [first] = (error as Error).message.split(/\. (?=[A-Z])/);
    throw new UsageError(`${first}; flags of this command: ${names.map((name) => `--${name}`).join(", ")}`);
  }
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
      return `  --${name} ${setting.value}\n      ${setting.help}${fallback}\n      environment: ${environmentName(name)}`;
    }),
    ...Object.entries(command.options ?? {}).map(
      ([name, { value, help }]) => `  --${name} ${value ?? ""}\n      ${help}`,
    ),
  ];
  return `bellwire ${command.usage}\n  ${command.help}\n\n${flags.join("\n")}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError || error instanceof StoreError) complain(`bellwire: ${error.message}`);
  else complain(`bellwire: ${(error as Error).stack ?? error}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
