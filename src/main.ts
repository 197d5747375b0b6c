// The program of the command line: finds the command, runs it, and turns mistakes into plain words. It imports next to
// nothing, so that a version or a mistyped name costs no more than that; a command is loaded when it is called.
import { complain, say } from "./commands/command.ts";
import { commands, type Listed } from "./commands/commands.ts";
import { PlainError, UsageError } from "./core/user-error.ts";
import { version } from "./package.ts";

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const [about] = rest;
    say(about === undefined ? overview() : await helpOf(commandNamed(about)));
    return 0;
  }
  if (name === "version" || name === "--version") {
    say(version);
    return 0;
  }
  const command = commandNamed(name);
  if (rest.includes("--help") || rest.includes("-h")) {
    say(await helpOf(command));
    return 0;
  }
  const { runCommand } = await import("./command-line.ts");
  return runCommand(command, rest);
}

function commandNamed(name: string): Listed {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command;
  throw new UsageError(`expected one of ${Object.keys(commands).join(", ")}, got "${name}"`);
}

function overview(): string {
  const lines = Object.values(commands).map(({ usage, help }) => `  bellwire ${usage}\n      ${help}`);
  return `Bellwire ${version}: a financial news and calendar data server\n\n${lines.join("\n")}\n\n  bellwire help COMMAND\n      flags of a command`;
}

async function helpOf(command: Listed): Promise<string> {
  const { helpText } = await import("./command-line.ts");
  return helpText(command);
}

/** Plain words for what a person can mend; a stack only for what is a fault of this program. */
function wordsFor(error: unknown): string {
  if (error instanceof PlainError) return error.message;
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
