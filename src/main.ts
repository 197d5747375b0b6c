// Entry point of the command line: finds and runs the command, and reports errors. It imports almost nothing itself, so
// that `version`, help, and mistyped names are fast; commands are loaded when they run.
import { errorMessage, print, printError } from "./commands/command.ts";
import { type CommandEntry, commands } from "./commands/commands.ts";
import { suggestion } from "./core/text/closest-name.ts";
import { UsageError } from "./core/user-error.ts";
import { version } from "./package.ts";

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const [about] = rest;
    print(about === undefined ? overview() : await commandHelp(findCommand(about)));
    return 0;
  }
  if (name === "version" || name === "--version") {
    print(version);
    return 0;
  }
  const command = findCommand(name);
  if (rest.includes("--help") || rest.includes("-h")) {
    print(await commandHelp(command));
    return 0;
  }
  const { runCommand } = await import("./command-line.ts");
  return runCommand(command, rest);
}

function findCommand(name: string): CommandEntry {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command;
  const names = Object.keys(commands);
  throw new UsageError(`expected one of ${names.join(", ")}, got "${name}"${suggestion(name, names)}`);
}

function overview(): string {
  const lines = Object.values(commands).map(({ usage, help }) => `  bellwire ${usage}\n      ${help}`);
  return `Bellwire ${version}: a financial news and calendar data server\n\n${lines.join("\n")}\n\n  bellwire help COMMAND\n      show the flags of a command`;
}

async function commandHelp(command: CommandEntry): Promise<string> {
  const { helpText } = await import("./command-line.ts");
  return helpText(command);
}

// The reader of a pipe, such as head, may stop early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** Runs a command line and sets the exit status. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await main(args);
  } catch (error) {
    printError(`bellwire: ${errorMessage(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
