// What all test processes of a run share: a PostgreSQL server, template databases, the built page and a browser that is
// known to start, handed over in environment variables.
import { join } from "node:path";
import { browserEnvironment } from "../support/browser/probe.ts";
import { makePostgres } from "../support/stores/postgres.ts";
import { prepareClusterTemplate } from "../support/stores/templates.ts";

export type Prepared = { readonly environment: NodeJS.ProcessEnv; release(): Promise<void> };

const usesBrowser = (file: string): boolean => /^test\/(page|docs)\//.test(file);

export async function prepare(files: readonly string[], long: boolean): Promise<Prepared> {
  // The page is tested as it is built; an earlier build may be older than its source.
  if (files.some((file) => file.startsWith("test/page/"))) await import("../../web/prepare.ts");
  // Also for the server of this run, which is a copy of it.
  process.env.BELLWIRE_TEST_CLUSTER = await prepareClusterTemplate();
  const external = process.env.BELLWIRE_TEST_DATABASE;
  const server = external === undefined ? await makePostgres() : undefined;
  await server?.start();
  return {
    environment: {
      ...process.env,
      ...(files.some(usesBrowser) ? await browserEnvironment() : {}),
      BELLWIRE_TEST_DATABASE: external ?? server?.url,
      BELLWIRE_TEST_LONG: String(long),
      // Hundreds of processes load the same source: each after the first finds it compiled.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "..", "node_modules", ".cache", "compiled"),
    },
    release: async () => server?.remove(),
  };
}
