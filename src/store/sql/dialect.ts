// What databases say differently, and how a statement is handed to one.
import type { Condition, Plan } from "../../core/query/plan.ts";

export type Search = Extract<Condition, { op: "search" }>;
export type Bind = (value: unknown) => string;
export type Compiled = { readonly sql: string; readonly parameters: readonly unknown[] };

/** What is selected of the records that a plan finds where a test holds, in their order. */
export type WalkOne = (plan: Plan, test: string, select: string) => string;

/** The few things that databases say differently. */
export type Dialect = {
  readonly placeholder: (n: number) => string;
  /** Where matches are found, the key of each, and the test that it matches: in any place, or in one and none before it. */
  readonly search: (
    search: Search,
    where: { readonly table: string; readonly places: readonly string[]; readonly place: number | undefined },
    bind: Bind,
  ) => {
    readonly from: string;
    readonly key: string;
    readonly test: string;
    /** A cheaper test of a record by its key, which every match passes. */
    readonly guard?: (key: string) => string;
  };
  /** The part of all records that a search is believed to match; undefined where that is still to be found out. */
  readonly searchShare: number | undefined;
  /** What it costs to find one more match, and to test one record for being one; a record of an index costs 1. */
  readonly searchCost: (words: number) => { readonly visit: number; readonly test: number };
  /** Keeps what is gathered in a subquery from being found in the order of the statement around it. */
  readonly fence: string;
  /** The rows `r` of a table by keys `k`, in the order of the keys; a ranked search gives each key its place. */
  readonly byKeys: (keys: string, table: string, ranked: boolean) => string;
  /** Names the index by which a table is read, where the database takes such a hint. */
  readonly indexedBy: (index: string) => string;
  /** Joins the rows of a table to keys, which come first. */
  readonly join: string;
  /** Selects keys with their places, in the form that `byKeys` takes. */
  readonly placed: string;
  /** What a row must carry so that its place among the keys is not lost, and how rows are put in that order. */
  readonly ordinal: string;
  readonly inOrder: string;
  /** A number of rows, for `limit`. */
  readonly rows: (placeholder: string) => string;
  /** A column of which a condition may not choose the index. */
  readonly tested: (column: string) => string;
  /** A column of which a condition on such a value may not choose the index where counts have chosen another. */
  readonly hidden: (column: string, value: unknown) => string;
  /** The key that two packed values make. */
  readonly pack: (high: number, low: number) => unknown;
  /** A test that stops a statement whose time is over; undefined where the database does so itself. */
  readonly inTime?: (key: string) => string;
  /** Whether an index carries the bytes of records that are kept together; else rows are read as an index is walked. */
  readonly carries: boolean;
  /** Keys of a page of several values of a column, where that must not be left to the planner. */
  readonly several?: (plan: Plan, bind: Bind, walk: WalkOne) => string | undefined;
  /** The table of the numbers in a JSON array, in the column `value`. */
  readonly numbers: (placeholder: string) => string;
  /** Not 0 where a column holds a text that needs no escape. */
  readonly holds: (column: string, text: string) => string;
  /**
   * All texts of a column as one value, joined by commas; rows that were joined to others are put in the order of their
   * ordinals. As bytes where they are wished for and the database gives them as readily.
   */
  readonly joined: (column: string, byOrdinal: boolean, bytes: boolean) => string;
};
