// Migrations that a test generates, and databases opened with them and with the catalogs they are for.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isPostgres } from "../../../src/settings/setting.ts";
import { type Migration, migrations } from "../../../src/store/migrate.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import { type Target, writeMigration } from "../../../src/store/schema/write-migration.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../../src/store/store.ts";
import { testPostgres } from "../../support/stores/templates.ts";
import { catalogs } from "./splits.ts";

export type Version = { readonly catalog: keyof typeof catalogs; readonly generated: readonly string[] };

/** A directory for generated migrations, with a list like that of the source. */
export type Workshop = {
  readonly target: Target;
  /** Writes the migration that the catalog needs after those generated before; returns its file, or undefined. */
  generate(version: Version): string | undefined;
  migrationsOf(version: Version): Promise<Migration[]>;
  open(version: Version, database: string, now: () => number): Promise<Store>;
  remove(): void;
};

const source = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;

export async function makeWorkshop(): Promise<Workshop> {
  const home = mkdtempSync(join(tmpdir(), "bellwire-migration-"));
  const target = { folder: join(home, "migrations"), list: join(home, "migrate.ts") };
  await mkdir(target.folder);
  await copyFile(new URL(source("src/store/migrate.ts")), target.list);
  writeFileSync(join(home, "package.json"), '{ "type": "module" }');
  const loaded = new Map<string, Migration>();
  const migrationsOf = async ({ generated }: Version) => {
    for (const file of generated) {
      if (loaded.has(file)) continue;
      const [made] = Object.values((await import(pathToFileURL(file).href)) as Record<string, Migration>);
      if (made !== undefined) loaded.set(file, made);
    }
    return [...migrations, ...generated.flatMap((file) => loaded.get(file) ?? [])];
  };
  return {
    target,
    migrationsOf,
    generate: (version) => {
      const known = [...migrations, ...version.generated.flatMap((file) => loaded.get(file) ?? [])];
      return writeMigration(catalogs[version.catalog], known, target)?.files[0];
    },
    open: async (version, database, now) => {
      const known = await migrationsOf(version);
      const store = isPostgres(database)
        ? openPostgres({
            ...testPostgres,
            url: database,
            catalog: catalogs[version.catalog],
            migrations: known,
            now,
          })
        : openSqlite({ file: database, program: program(home, version), now });
      await store.prepare().catch(async (error: unknown) => {
        await store.close();
        throw error;
      });
      return store;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** What a thread runs. A thread that is no longer needed serves the next database of its program, so each has its own. */
function program(home: string, { catalog, generated }: Version): URL {
  const file = join(home, `thread-${catalog}-${generated.length}.ts`);
  const imports = generated.map((each, at) => `import * as m${at} from ${JSON.stringify(pathToFileURL(each).href)};`);
  const further = generated.map((_, at) => `...Object.values(m${at})`);
  writeFileSync(
    file,
    `// The program of a SQLite thread with another catalog.
import { serveThread } from ${JSON.stringify(source("src/store/sqlite/threads/serve.ts"))};
import { migrations } from ${JSON.stringify(source("src/store/migrate.ts"))};
import { catalogs } from ${JSON.stringify(source("test/store/schema/splits.ts"))};
${imports.join("\n")}
serveThread(catalogs.${catalog}, [${["...migrations", ...further].join(", ")}]);
`,
  );
  return pathToFileURL(file);
}
