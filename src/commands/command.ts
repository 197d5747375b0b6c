// The shape of a command: its arguments, settings, options, and what it runs.

import type { Config, SettingName } from "../config.ts";
import { UserError } from "../core/user-error.ts";
import { redactKeys } from "../keys/redact.ts";

export type Option = {
  readonly value?: string;
  readonly help: string;
  /** May be repeated; the values are joined by commas. */
  readonly repeated?: boolean;
  /** May be repeated; the values stay separate, since they may contain commas. */
  readonly list?: boolean;
};

export type Invocation = {
  readonly args: readonly string[];
  readonly config: Config;
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
};

/** Usage and help are in commands.ts, so that listing commands loads none of them. */
export type Command = {
  /** Maximum number of positional arguments. */
  readonly maxArgs: number;
  readonly settings: readonly SettingName[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Returns the exit status. */
  readonly run: (invocation: Invocation) => Promise<number>;
};

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
/** To standard error, which often ends up in a log, so anything that looks like a key is redacted. */
export const printError = (text: string): void => void process.stderr.write(`${redactKeys(text)}\n`);

/** A plain message for what the user can fix; a stack trace only for bugs. */
export function errorMessage(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const { syscall, message, stack } = error as NodeJS.ErrnoException;
  // System errors, such as "ENOENT: no such file or directory, open './x'", need no stack trace.
  return syscall === undefined ? (stack ?? String(error)) : message;
}
