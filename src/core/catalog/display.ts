// How a list is presented to people: the OpenAPI document carries it as `x-display`, and the web page is drawn from it.

export type Display = {
  /** Short name, and a shorter one for a column of a week. */
  readonly label: string;
  readonly brief: string;
  /** One record, and several. */
  readonly unit: readonly [one: string, many: string];
  /** Letter of its shortcut. */
  readonly key: string;
  /** Position among the lists. */
  readonly rank: number;
  /** Records are scheduled ahead: the newest ones are in the future. */
  readonly ahead?: true;
  /** Fields of a table, in order. A name that is no field is of a column made of several. */
  readonly columns: readonly string[];
  /** Labels that differ from the name of the field. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Parameters that are offered first, without their brackets. */
  readonly filters: readonly string[];
  /** Columns of orders whose name does not say it. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** Where the values of a parameter can be looked up: a path below that of the list, and the text of each value. */
  readonly choices?: Readonly<Record<string, { readonly path: string; readonly text: string }>>;
  /** A record in a few words: `{ticker}` is a field. */
  readonly text: string;
  /** How it is presented among the events of a day. */
  readonly day?: {
    readonly title: string;
    readonly column: 0 | 1;
    /** The field that holds the day, which is also the name of a parameter. */
    readonly field: string;
    readonly none: string;
    readonly groups?: "session" | "change";
    readonly order?: "time" | "weight";
  };
};
