// The SQL dialect interface: what SQLite and PostgreSQL express differently, and a compiled statement.
import type { Condition, Plan } from "../../core/query/plan.ts";

export type Search = Extract<Condition, { op: "search" }>;
export type Bind = (value: unknown) => string;
export type Compiled = { readonly sql: string; readonly parameters: readonly unknown[] };

/** Compiles a scan of a plan's records that pass a test, in the plan's order. */
export type CompileScan = (plan: Plan, test: string, select: string) => string;

export type Dialect = {
  readonly placeholder: (n: number) => string;
  /** The table of matches, their key, and the test for a match: in any place, or in one and none before it. */
  readonly search: (
    search: Search,
    where: {
      readonly table: string;
      readonly places: readonly string[];
      readonly place: number | undefined;
      /** Whether the matches drive the scan; else records that another path finds are tested. */
      readonly drives: boolean;
    },
    bind: Bind,
  ) => {
    readonly from: string;
    readonly key: string;
    readonly test: string;
    /** A cheaper prefilter by key, which every match passes. */
    readonly guard?: (key: string) => string;
    /** The rest of the test for a match, by key: too expensive to run before the other tests and the sort. */
    readonly recheck?: (key: string) => string;
  };
  /** Whether a ranked search has so few matches in this place alone that they drive its scan, whatever drives the others. */
  readonly isRareOnlyIn?: (place: number) => boolean;
  /** Tests for a key in a list that is collected once. */
  readonly isCollected: (key: string, select: string) => string;
  /** Cost of looking up one value of a link for one record; collecting one of its keys costs 1. */
  readonly lookupCost: number;
  /** The assumed selectivity of a search; undefined if it has to be sampled. */
  readonly searchSelectivity: number | undefined;
  /**
   * Cost of finding one more match, and of testing one record; reading an index entry costs 1. `candidates` is the number
   * of records to test per match, if there are more.
   */
  readonly searchCost: (words: number) => {
    readonly visit: number;
    readonly test: number;
    readonly candidates?: number;
  };
  /** An optimization fence, which keeps the outer statement's order out of a subquery. */
  readonly fence: string;
  /** Joins the rows `r` of a table to keys `k`, in the order of the keys; in a ranked search each key has its place. */
  readonly joinByKeys: (keys: string, table: string, ranked: boolean) => string;
  /** An index hint, if the database supports one. */
  readonly indexedBy: (index: string) => string;
  /** Joins a table to keys, which form the outer loop. */
  readonly join: string;
  /** Selects keys with their places, in the form that `joinByKeys` expects. */
  readonly selectRanked: string;
  /** The column that preserves the order of the keys through a join, and the clause that restores it. */
  readonly ordinal: string;
  readonly orderByOrdinal: string;
  /** A parameter as the value of `limit`. */
  readonly limitValue: (placeholder: string) => string;
  /** A column as an expression that no index matches. */
  readonly unindexed: (column: string) => string;
  /** The same for a comparison with this value, if counts have chosen another access path. */
  readonly unindexedFor: (column: string, value: unknown) => string;
  /** Packs two values into a key. */
  readonly packKey: (high: number, low: number) => unknown;
  /** A test that cancels a statement at its time limit; undefined if the database does so itself. */
  readonly timeCheck?: (key: string) => string;
  /** Whether a covering index includes the records' JSON; else an index scan reads the rows. */
  readonly hasCoveringIndex: boolean;
  /** Finds the keys of a page for several values of a column, if that must not be left to the planner. */
  readonly multiValueScan?: (plan: Plan, bind: Bind, scan: CompileScan) => string | undefined;
  /** The numbers in a JSON array as a table with the column `value`. */
  readonly numbersTable: (placeholder: string) => string;
  /** Nonzero if a column contains the text, which must need no escaping. */
  readonly contains: (column: string, text: string) => string;
  /** Joins a column's texts by commas, in the order of their ordinals if there are any; as bytes if requested and free. */
  readonly concatRows: (column: string, byOrdinal: boolean, bytes: boolean) => string;
};
