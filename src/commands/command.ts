// What a command is: its words, the settings and options it takes, and what it does.

import { type Config, type SettingName, UsageError } from "../config.ts";
import type { Resource } from "../core/resource.ts";
import { hideKeys } from "../keys/key.ts";
import { catalog } from "../resources/catalog.ts";

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

export type Command = {
  readonly usage: string;
  readonly help: string;
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

export function resourceNamed(name: string | undefined): Resource {
  const found = catalog.find((resource) => resource.name === name);
  if (found !== undefined) return found;
  const names = catalog.map((resource) => resource.name).join(", ");
  throw new UsageError(`RESOURCE: expected one of ${names}, got ${name === undefined ? "nothing" : `"${name}"`}`);
}
