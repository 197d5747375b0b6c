// What a command is: its words, the settings and options it takes, and what it does.

import type { Config, SettingName } from "../config.ts";
import { hideKeys } from "../keys/redact.ts";

export type Option = {
  readonly value?: string;
  readonly help: string;
  /** May be given more than once: the values are joined by commas. */
  readonly repeated?: boolean;
};

export type Invocation = {
  readonly words: readonly string[];
  readonly config: Config;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
};

/** How it is called and what it does in a line, it is listed with (commands.ts). */
export type Command = {
  /** Words that the command takes besides its flags; one more is a mistake. */
  readonly mostWords: number;
  readonly settings: readonly SettingName[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Gives the exit status. */
  readonly run: (invocation: Invocation) => Promise<number>;
};

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** To standard error, which often ends in a log: a key that was given in a wrong place is not repeated there. */
export const complain = (text: string): void => void process.stderr.write(`${hideKeys(text)}\n`);
