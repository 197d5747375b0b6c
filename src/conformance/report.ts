// The result of a check: what was checked, what was found, and the request that shows it.

export type Finding = {
  readonly list: string;
  readonly check: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
  /** Reproduces it, with TOKEN instead of the key. */
  readonly request: string;
};

export type CheckResult = {
  readonly list: string;
  readonly check: string;
  /** What conforms if there are no findings. */
  readonly title: string;
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** Why it wasn't run, or not completely. */
  readonly skipped?: string;
};

export type Report = {
  readonly url: string;
  readonly profile: string;
  readonly requests: number;
  readonly seconds: number;
  readonly results: readonly CheckResult[];
};

export const findingsOf = ({ results }: Report): readonly Finding[] => results.flatMap(({ findings }) => findings);
