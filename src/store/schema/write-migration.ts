// Writes the next migration: a file for each database, and its place in the list of migrations.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Resource } from "../../core/catalog/resource.ts";
import type { Migration } from "../migrate.ts";
import { tableName } from "../sql/compile.ts";
import { compareSchema, type Difference, isEmpty } from "./compare.ts";
import { postgresLanguage, sqliteLanguage, statementsFor } from "./statements.ts";

export type Target = {
  /** The directory of migrations. */
  readonly folder: string;
  /** The source file that lists them. */
  readonly list: string;
};

type Written = { readonly files: readonly string[]; readonly what: readonly string[] };

/** Undefined when the migrations produce what the catalog calls for; throws when data would be lost. */
export function writeMigration(
  catalog: readonly Resource[],
  migrations: readonly Migration[],
  { folder, list }: Target,
  topic?: string,
): Written | undefined {
  const difference = compareSchema(catalog, migrations);
  if (isEmpty(difference)) return undefined;
  const what = summary(difference);
  const name = `${String(migrations.length + 1).padStart(3, "0")}-${topic ?? topicOf(difference)}`;
  const constant = name.slice(4).replace(/[-_]+(.)/g, (_, letter: string) => letter.toUpperCase());
  const file = join(folder, `${name}.ts`);
  const other = join(folder, `${name}.postgres.ts`);
  const about = aboutOf(difference);
  const path = relative(folder, list).replaceAll("\\", "/");
  writeFileSync(file, sqliteFile({ name, constant, about, path }, difference));
  writeFileSync(
    other,
    `// ${about} On PostgreSQL.\n\nexport const ${constant}Postgres = \`${script(difference, false)}\`;\n`,
  );
  writeFileSync(list, listed(readFileSync(list, "utf8"), constant, `./${basename(folder)}/${name}.ts`));
  return { files: [file, other, list], what };
}

type Names = { readonly name: string; readonly constant: string; readonly about: string; readonly path: string };

function sqliteFile({ name, constant, about, path }: Names, difference: Difference): string {
  const added = Map.groupBy(difference.columns, ({ table }) => table);
  const adds = [...added].map(([table, columns]) =>
    member(
      table,
      columns.map((each) => each.name),
    ),
  );
  const linked = difference.resources.filter(({ links }) => Object.keys(links).length > 0);
  const links = linked.map((resource) => member(tableName(resource), Object.keys(resource.links)));
  return `// ${about}
import type { Migration } from "${path}";
import { ${constant}Postgres } from "./${name}.postgres.ts";

export const ${constant}: Migration = {
  name: "${name}",
  postgres: ${constant}Postgres,
  sqlite: \`${script(difference, true)}\`,
${adds.length === 0 ? "" : `  adds: { ${adds.join(", ")} },\n`}${links.length === 0 ? "" : `  links: { ${links.join(", ")} },\n`}};
`;
}

const member = (table: string, names: readonly string[]): string =>
  `${table}: [${names.map((name) => JSON.stringify(name)).join(", ")}]`;

function script(difference: Difference, isSqlite: boolean): string {
  const statements = statementsFor(difference, isSqlite ? sqliteLanguage : postgresLanguage);
  return statements.length === 0 ? "" : `\n    ${statements.join(";\n    ")};\n  `;
}

/** The list with one more at its end. */
function listed(text: string, constant: string, path: string): string {
  const imports = [...text.matchAll(/^import .* from "\.\/migrations\/.*";\n/gm)];
  const last = imports.at(-1);
  const after = last === undefined ? 0 : last.index + last[0].length;
  const entries = /(export const migrations: readonly Migration\[\] = \[[^\]]*)\]/;
  return `${text.slice(0, after)}import { ${constant} } from "${path}";\n${text.slice(after)}`.replace(
    entries,
    `$1  ${constant},\n]`,
  );
}

/** The first line of the files. */
function aboutOf(difference: Difference): string {
  const [first = "", ...more] = summary(difference);
  const further = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return `${first.charAt(0).toUpperCase()}${first.slice(1)}${further}. Written by \`npm run migration\`. Frozen.`;
}

function summary({ resources, columns, created, dropped }: Difference): string[] {
  return [
    ...resources.map(({ name }) => `creates the tables of ${name}`),
    ...columns.map(({ table, name }) => `adds the column ${table}.${name}`),
    ...dropped.map(({ name }) => `drops the index ${name}`),
    ...created.map(({ name, columns }) => `creates the index ${name} (${columns.join(", ")})`),
  ];
}

function topicOf({ resources, columns, created, dropped }: Difference): string {
  const named = [...resources.map(({ name }) => name), ...columns.map(({ table, name }) => `${table}-${name}`)];
  const [first, ...more] = named.length > 0 ? named : [...created, ...dropped].map(({ name }) => name);
  return `${first}${more.length > 0 ? "-and-more" : ""}`.replaceAll("_", "-");
}
