// A benchmark request as data, shared by load generators and contenders.

export type BenchRequest = {
  /** Path and query. */
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
