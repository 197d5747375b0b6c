// Runs a statement on PostgreSQL with the plan that the service uses: generic, made without the values.
import pg from "pg";

/** A step of an executed plan, by the names of EXPLAIN's JSON. */
export type ExecutedStep = {
  readonly Plans?: readonly ExecutedStep[];
  readonly [property: string]: unknown;
};

export async function connectForAnalysis(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: "-c plan_cache_mode=force_generic_plan" });
  await client.connect();
  return client;
}

/** The first step, with all others below it. */
export async function explainAnalyze(
  client: pg.Client,
  { sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] },
): Promise<ExecutedStep> {
  const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`;
  await client.query(`prepare measured as ${sql}`);
  const { rows } = await client.query(`explain (analyze, buffers, format json) execute measured${values}`);
  await client.query("deallocate measured");
  return rows[0]["QUERY PLAN"][0].Plan;
}

const literal = (value: unknown): string =>
  typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : pg.escapeLiteral(
        Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join(",")}}` : String(value),
      );
