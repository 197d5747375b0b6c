// A news item as the API sends it, and how a search found it.
import { isFound, type Phrase, passage } from "../../format/marks.ts";

export type NewsItem = {
  readonly id: number;
  readonly title: string;
  readonly created: string;
  readonly updated: string;
  readonly author: string;
  readonly teaser: string;
  readonly body: string;
  readonly url: string;
  readonly channels: readonly { readonly name: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly stocks: readonly { readonly name: string; readonly exchange?: string }[];
  readonly image: readonly { readonly size: string; readonly url: string }[];
};

export type Match = {
  /** The places in which something was found, the most important first. */
  readonly places: readonly ("title" | "tag" | "body")[];
  readonly tags: readonly string[];
  readonly passage: string | undefined;
};

/** The body must be there as plain text. */
export function matchIn({ title, tags, body }: NewsItem, phrases: readonly Phrase[]): Match {
  const found = tags.map(({ name }) => name).filter((name) => isFound(name, phrases));
  const around = passage(body, phrases);
  return {
    places: [
      ...(isFound(title, phrases) ? (["title"] as const) : []),
      ...(found.length > 0 ? (["tag"] as const) : []),
      ...(around === undefined ? [] : (["body"] as const)),
    ],
    tags: found,
    passage: around,
  };
}
