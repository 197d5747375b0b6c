// What follows the name of a command: its flags are read and checked, its help is written, and it is run.
import { parseArgs } from "node:util";
import type { Command, Invocation } from "./commands/command.ts";
import type { Listed } from "./commands/commands.ts";
import { configure, environmentName, settings, UsageError } from "./config.ts";

/** Gives the exit status. */
export async function runCommand({ usage, load }: Listed, args: readonly string[]): Promise<number> {
  const command = await load();
  const { values, positionals } = readFlags(command, args);
  const surplus = positionals[command.mostWords];
  if (surplus !== undefined) throw new UsageError(`unexpected "${surplus}"; usage: bellwire ${usage}`);
  const config = configure(values, process.env);
  // Every invalid setting is reported before anything is done.
  for (const setting of command.settings) config.given(setting);
  return command.run({ words: positionals, options: values, config });
}

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

/** How a command is called, what it does, and its flags. */
export async function helpText({ usage, help, load }: Listed): Promise<string> {
  const command = await load();
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
      ([name, option]) => `  --${name}${option.value === undefined ? "" : ` ${option.value}`}\n      ${option.help}`,
    ),
  ];
  return `bellwire ${usage}\n  ${help}\n\n${flags.join("\n")}`;
}
