// What `tail` prints, whatever the source.
import type { Resource } from "../../core/catalog/resource.ts";

/** `json`: an object with the members of an event. */
export type TailEvent = { readonly position: string; readonly json: string };

export type TailRequest = {
  readonly resource: Resource;
  /** Filters as in a URL. */
  readonly query: string;
  /** Undefined: from now on. */
  readonly since: string | undefined;
  /** Ends the events. */
  readonly signal: AbortSignal;
  /** Called for problems that don't end it. */
  readonly report: (text: string) => void;
};

/** A misspelled filter would print everything. */
export const ignoredMessage = (names: string): string => `ignored unknown parameters: ${names}`;
