// The Workload interface: interleaved lanes, each a contender with requests, and targets.

import type { BenchRequest } from "../driver/request.ts";

export type ContenderName =
  | "bare"
  | "bellwire"
  | "bellwire without cache"
  | "bellwire with two workers"
  | "bellwire on grown data"
  | "handler"
  | "handler newest first"
  | "bellwire on PostgreSQL"
  | "handler on PostgreSQL"
  | "PostGraphile"
  | "json-server";

/** The requests of a round; `origin` is a server to get ETags from beforehand. */
export type Requests = (
  round: number,
  rounds: number,
  origin: string,
) => readonly BenchRequest[] | Promise<readonly BenchRequest[]>;

export type Lane = {
  /** Name of the row in the table. */
  readonly name: string;
  readonly contender: ContenderName;
  readonly requests: Requests;
  /** Skipped in a quick run, unless its contender is named. */
  readonly fullOnly?: boolean;
};

/** A target for one lane relative to another in the same round. `perCpuSecond` is requests per second of CPU time. */
export type Target = {
  readonly lane: string;
  readonly against: string;
  readonly figure: "perSecond" | "perCpuSecond" | "p50Ms" | "p99Ms" | "cpuMicros";
  readonly least?: number;
  readonly most?: number;
};

/** A target for requests per second of CPU time: one core against one core, whatever the number of threads. */
export const byCpu = (lane: ContenderName, against: ContenderName, least: number): Target => ({
  lane,
  against,
  figure: "perCpuSecond",
  least,
});

export type Workload = {
  readonly name: string;
  readonly about: string;
  readonly lanes: readonly Lane[];
  readonly targets: readonly Target[];
  /** The lane whose responses the bare baseline replays. */
  readonly model: ContenderName;
  /** Records are imported into a copy of the data during the run. */
  readonly importing?: boolean;
  /** Servers are restarted for each round and get each request once, without warm-up. */
  readonly cold?: number;
  /** Servers are restarted for each round, and warmed up. */
  readonly restart?: boolean;
  /** Skipped in a quick run, unless named. */
  readonly fullOnly?: boolean;
};
