// What a workload is: lanes that run in turn, each a contender with requests, and figures that must come of it.

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

/** The requests of a round; `origin` is a server that may be asked first, for what only an answer tells. */
export type Requests = (
  round: number,
  rounds: number,
  origin: string,
) => readonly BenchRequest[] | Promise<readonly BenchRequest[]>;

export type Lane = {
  /** Name of the line in the table. */
  readonly name: string;
  readonly contender: ContenderName;
  readonly requests: Requests;
  /** Left out of a quick run, unless its contender is named. */
  readonly fullOnly?: boolean;
};

/** Where a lane's figure must stand against another's of the same round. `perCpuSecond` is requests per second of CPU time. */
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
  /** Which of the lanes answers first, for the bare yardstick to send the same. */
  readonly model: ContenderName;
  /** Records are imported while it runs, into a copy of the data. */
  readonly importing?: boolean;
  /** Servers are started anew for each round and asked a list once, with no warming. */
  readonly cold?: number;
  /** Servers are started anew for each round, and warmed. */
  readonly anew?: boolean;
  /** Left out of a quick run, unless it is named. */
  readonly fullOnly?: boolean;
};
