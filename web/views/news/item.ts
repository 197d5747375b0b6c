// News item as received from the API, and where a search matches it.
import { excerpt, hasMatch, type Phrase } from "../../format/marks.ts";

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
  /** Matching fields, most important first. */
  readonly fields: readonly ("title" | "tag" | "body")[];
  readonly tags: readonly string[];
  readonly excerpt: string | undefined;
};

/** The body must be plain text. */
export function matchIn({ title, tags, body }: NewsItem, phrases: readonly Phrase[]): Match {
  const matchingTags = tags.map(({ name }) => name).filter((name) => hasMatch(name, phrases));
  const excerptText = excerpt(body, phrases);
  return {
    fields: [
      ...(hasMatch(title, phrases) ? (["title"] as const) : []),
      ...(matchingTags.length > 0 ? (["tag"] as const) : []),
      ...(excerptText === undefined ? [] : (["body"] as const)),
    ],
    tags: matchingTags,
    excerpt: excerptText,
  };
}
