// One request of a benchmark, as data: every driver and every contender reads the same.

export type BenchRequest = {
  /** Path and query. */
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
