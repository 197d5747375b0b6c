// `npm run migration [-- NAME]`: writes the migration that the catalog calls for beyond those that there are.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "./core/user-error.ts";
import { catalog } from "./resources/catalog.ts";
import { migrations } from "./store/migrate.ts";
import { writeMigration } from "./store/schema/write-migration.ts";

const target = {
  folder: fileURLToPath(new URL("./store/migrations", import.meta.url)),
  list: fileURLToPath(new URL("./store/migrate.ts", import.meta.url)),
};

const topicForm = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

function run(topic: string | undefined): string {
  if (topic !== undefined && !topicForm.test(topic))
    throw new UserError(`expected a name such as dividends-currency, found ${JSON.stringify(topic)}`);
  const written = writeMigration(catalog, migrations, target, topic);
  if (written === undefined)
    return "Nothing to migrate: the migrations produce the schema that the catalog calls for.\n";
  const files = written.files.map((file) => `wrote ${relative(process.cwd(), file)}\n`);
  const what = written.what.map((each) => `- ${each}\n`);
  return `${files.join("")}${what.join("")}Existing records get values for new columns at the next start. Commit the files; never edit them after that.\n`;
}

try {
  process.stdout.write(run(process.argv[2]));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
