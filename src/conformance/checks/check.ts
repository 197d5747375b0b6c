// The shape of a check.
import type { Context } from "../context.ts";

export type Check = {
  readonly name: string;
  /** What conforms if there are no findings. */
  readonly title: string;
  readonly run: (context: Context) => Promise<void>;
};
