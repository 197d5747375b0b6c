// How a record becomes an entry of a feed, as resources describe it: which field holds what.

export type EntryDescription = {
  readonly title: string;
  readonly updated: string;
  readonly published: string;
  readonly author: string;
  /** Address of the page that the entry is about. */
  readonly url: string;
  /** Texts in HTML. */
  readonly summary: string;
  readonly content: string;
  /** Transform after which these texts are plain. */
  readonly plainWith: string;
  /** A list of objects. */
  readonly categories: string;
};
