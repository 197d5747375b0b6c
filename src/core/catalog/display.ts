// How the web page presents a list; part of the OpenAPI document as `x-display`.

/** Which records of a list belong to the history of one of them. */
export type HistorySource = {
  readonly title: string;
  /** Fields by the parameters that filter by them. */
  readonly filters: Readonly<Record<string, string>>;
  /** Parameter for the last day. */
  readonly until: string;
};

export type Display = {
  /** Short name, and a shorter one for the week view. */
  readonly label: string;
  readonly brief: string;
  readonly unit: readonly [one: string, many: string];
  /** Keyboard shortcut. */
  readonly key: string;
  /** Position among the lists. */
  readonly rank: number;
  /** Records can be in the future. */
  readonly ahead?: true;
  /** Columns of the table: fields, or names of computed columns. */
  readonly columns: readonly string[];
  /** Columns that are left out where not all of them fit, the first one first. */
  readonly optional?: readonly string[];
  /** Column labels that differ from the field's name. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Parameters shown first, without brackets. */
  readonly filters: readonly string[];
  /** Columns of sort orders that are not named after them. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** Subpath of the list that returns the values of a parameter, and how to print a value. */
  readonly choices?: Readonly<Record<string, { readonly path: string; readonly text: string }>>;
  /**
   * Phrases in a field that tell whether a higher value is better or worse; without any, it is neither. The first list
   * with a match decides.
   */
  readonly polarity?: {
    readonly field: string;
    readonly neutral: readonly string[];
    readonly higherIsWorse: readonly string[];
    readonly higherIsBetter: readonly string[];
  };
  /** Shown with a record: past records of the same series. */
  readonly history?: HistorySource & {
    /** Fields that a record of the series has in common with the one shown, besides those that are filtered by. */
    readonly same: readonly string[];
    /** Fields with the period that a figure is for. */
    readonly period: readonly string[];
    readonly figures: readonly {
      readonly label: string;
      /** Fields with the figure, and with what was expected. */
      readonly value: string;
      readonly expected: string;
      /** Field with the surprise as a fraction; else it is the difference. */
      readonly surprise?: string;
    }[];
  };
  /** Shown with a record: how many sources are in each group over time, by their latest record. */
  readonly distribution?: HistorySource & {
    /** Parameter that maps values to groups. */
    readonly grouping: string;
    /** Field with the group, and the groups, best first. */
    readonly field: string;
    readonly groups: readonly string[];
    /** Fields that identify the source; the first that is set. */
    readonly source: readonly string[];
    /** Days after which a source without a newer record no longer counts. */
    readonly days: number;
    /** Values of a field with which a source ends. */
    readonly ends: { readonly field: string; readonly values: readonly string[] };
  };
  /** Summary of a record; `{ticker}` is a field. */
  readonly text: string;
  /** Name of a record in a calendar grid, likewise. */
  readonly event?: string;
  /** On a phone, a record is a card with these columns: a title, when it is, facts, and values with their labels. */
  readonly card?: {
    readonly title: readonly string[];
    readonly when: readonly string[];
    readonly about: readonly string[];
    readonly values: readonly string[];
  };
  /** Its section in the day view. */
  readonly day?: {
    readonly title: string;
    readonly column: 0 | 1;
    /** The field with the day; also the name of a parameter. */
    readonly field: string;
    readonly none: string;
    readonly columns: readonly string[];
    readonly groups?: "session" | "change";
    readonly order?: "time" | "weight";
  };
};
