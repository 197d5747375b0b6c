// Parses the flags of a command, runs it, and formats its help.
import { parseArgs } from "node:util";
import type { Command, Invocation } from "./commands/command.ts";
import type { CommandEntry } from "./commands/commands.ts";
import { configure, environmentName, settings, UsageError } from "./config.ts";
import { suggestion } from "./core/text/closest-name.ts";

/** Returns the exit status. */
export async function runCommand({ usage, load }: CommandEntry, args: readonly string[]): Promise<number> {
  const command = await load();
  const { values, positionals } = parseFlags(command, args);
  const surplus = positionals[command.maxArgs];
  if (surplus !== undefined) throw new UsageError(`unexpected "${surplus}"; usage: bellwire ${usage}`);
  const config = configure(values, process.env);
  // Every invalid setting is reported before anything is done.
  for (const setting of command.settings) config.provided(setting);
  return command.run({ args: positionals, options: values, config });
}

/** Settings whose flag has no value. */
const switches: Readonly<Record<string, string>> = { demo: "--no-demo", compat: "--compat" };
const isSwitch = (name: string): boolean => Object.hasOwn(switches, name);

/** A flag without a value. */
const isBoolean = ({ options = {} }: Command, name: string): boolean =>
  options[name] === undefined ? isSwitch(name) : options[name].value === undefined;

function parseFlags(command: Command, args: readonly string[]) {
  const names = [...command.settings, ...Object.keys(command.options ?? {})];
  const options = Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: isBoolean(command, name) ? "boolean" : "string",
        multiple: command.options?.[name]?.repeated === true || command.options?.[name]?.list === true,
      } as const,
    ]),
  );
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true, strict: true });
    const values = Object.entries(read.values).map(([name, value]) => [
      name,
      Array.isArray(value) && !command.options?.[name]?.list ? value.join(",") : value,
    ]);
    return { values: Object.fromEntries(values) as Invocation["options"], positionals: read.positionals };
  } catch (error) {
    throw new UsageError(flagError((error as Error).message, args, names));
  }
}

/** Describes what the parser of flags found, from the first sentence of its message; the rest is advice for programmers. */
function flagError(message: string, args: readonly string[], names: readonly string[]): string {
  const [first = ""] = message.split(/\.\s/);
  const [flag = "", name = ""] = /--?([^\s'=]+)/.exec(first) ?? [];
  if (/ambiguous|missing/.test(first)) {
    const { expected = "a value" }: { expected?: string } = Object.hasOwn(settings, name)
      ? settings[name as keyof typeof settings]
      : {};
    const received = args[args.indexOf(flag) + 1];
    return `${flag}: expected ${expected}, got ${received === undefined ? "nothing" : `"${received}"`}`;
  }
  if (/does not take/.test(first)) return `${flag}: expected no value, got ${inlineValue(flag, args)}`;
  const flags = names.map((each) => switches[each] ?? `--${each}`);
  const hint = suggestion(flag, flags);
  const intro = hint === "" ? "; flags" : `${hint} Flags`;
  return `unknown flag ${flag}${intro} of this command: ${flags.join(", ")}`;
}

const inlineValue = (flag: string, args: readonly string[]): string =>
  JSON.stringify(args.find((each) => each.startsWith(`${flag}=`))?.slice(flag.length + 1) ?? "");

/** Usage, description, and flags of a command. */
export async function helpText({ usage, help, load }: CommandEntry): Promise<string> {
  const command = await load();
  const flags = [
    ...command.settings.map((name) => {
      const setting: { value: string; help: string; fallback?: string } = settings[name];
      const fallback = setting.fallback ? ` [${setting.fallback}]` : "";
      const variable = environmentName(name);
      return isSwitch(name)
        ? `  ${switches[name]}\n      ${setting.help}\n      environment: ${variable}=${setting.value}${fallback}`
        : `  --${name} ${setting.value}\n      ${setting.help}${fallback}\n      environment: ${variable}`;
    }),
    ...Object.entries(command.options ?? {}).map(
      ([name, option]) => `  --${name}${option.value === undefined ? "" : ` ${option.value}`}\n      ${option.help}`,
    ),
  ];
  return `bellwire ${usage}\n  ${help}\n\n${flags.join("\n")}`;
}
