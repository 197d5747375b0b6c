// `import --check`: reads files without writing anything, and shows what an import would do.
import type { Resource } from "../../core/catalog/resource.ts";
import { encodeRecord } from "../../core/record/encoding.ts";
import { validateRecord } from "../../core/record/validate.ts";
import { type Zone, zone } from "../../core/value/time-zone.ts";
import type { ParsedRecord } from "../../ingest/formats/format.ts";
import { reject } from "../../ingest/import.ts";
import { Mapper } from "../../ingest/mapping/mapper.ts";
import { type MappingText, mergeMappings, parseMapping } from "../../ingest/mapping/mapping.ts";
import { type ColumnProfile, profileColumns } from "../../ingest/mapping/profile.ts";
import { mappingFlags, proposeMapping, shellWord } from "../../ingest/mapping/propose.ts";
import { readMapped } from "../../ingest/mapping/read.ts";
import type { RejectionReporter } from "../../ingest/rejections.ts";
import { type Invocation, print } from "../command.ts";
import { table } from "../shared/table.ts";
import { type OpenedFile, reportDropped, reporterOf } from "./import.ts";
import { mappingText } from "./mapping-flags.ts";

/** Records by which the columns are described. */
const sampleSize = 1000;

const shownRecords = 3;
const shownText = 120;

/** As served by default; a database may have another time zone. */
const rendering = { zone: zone("America/New_York") as Zone, cusip: "integer" } as const;

/** Returns 0 if an import with the same flags would reject nothing. */
export async function checkFiles(
  resource: Resource,
  files: readonly OpenedFile[],
  options: Invocation["options"],
): Promise<number> {
  let status = 0;
  for (const each of files) if (!(await checkFile(resource, each, mappingText(options)))) status = 1;
  return status;
}

async function checkFile(resource: Resource, opened: OpenedFile, current: MappingText): Promise<boolean> {
  const { file } = opened;
  const sample = await readSample(opened);
  const columns = profileColumns(sample.objects, opened.info.columns);
  const proposal = proposeMapping(resource, columns, current);
  const text = mergeMappings(current, proposal);
  const mapping = parseMapping(resource, text);
  const mapper = new Mapper(resource, mapping);
  print(`${file}: ${columns.length} columns`);
  print(
    indented(
      table(
        ["COLUMN", "LOOKS LIKE", "EXAMPLE", "BECOMES"],
        columns.map((column) => row(column, mapper)),
      ),
    ),
  );

  const rejections = reporterOf(resource, opened, (line) => print(`  ${line}`));
  const isProposed = mappingFlags(proposal).length > 0;
  print(`\nRejected${isProposed ? " with the flags proposed below" : ""}:`);
  const records = readMapped(resource, mapping, mapper, { ...opened, records: sample.all() }, (check) =>
    rejections.header(check.problems, check.attributes),
  );
  const { read, rejected, first } = await validateAll(resource, records, rejections);
  rejections.end();
  print(`  ${rejected.toLocaleString("en")} of ${read.toLocaleString("en")} records`);
  reportDropped(mapper);
  if (first.length > 0) print(`\nThe first records as they would be served:\n${first.map(indented).join("\n")}`);
  if (isProposed) printProposal(resource, file, text, proposal);
  print("");
  return rejected === 0 && !isProposed;
}

function printProposal(resource: Resource, file: string, text: MappingText, proposal: MappingText): void {
  print(
    `\nProposed, for you to check:\n  ${["bellwire import", resource.name, shellWord(file), ...mappingFlags(text)].join(" ")}`,
  );
  if (proposal["stamps-in"] !== undefined)
    print("  The file doesn't specify the time zone of its timestamps: replace UTC if it isn't that one.");
}

type Sample = { readonly objects: readonly object[]; all(): AsyncGenerator<ParsedRecord[]> };

/** Reads the first records; `all` returns them again and then the rest, so that standard input is read only once. */
async function readSample({ records }: OpenedFile): Promise<Sample> {
  const batches: ParsedRecord[][] = [];
  const objects: object[] = [];
  while (objects.length < sampleSize) {
    const next = await records.next();
    if (next.done) break;
    batches.push(next.value);
    for (const record of next.value)
      if ("value" in record && typeof record.value === "object" && record.value !== null) objects.push(record.value);
  }
  return {
    objects: objects.slice(0, sampleSize),
    async *all() {
      yield* batches;
      yield* records;
    },
  };
}

async function validateAll(
  resource: Resource,
  records: AsyncIterable<readonly ParsedRecord[]>,
  rejections: RejectionReporter,
): Promise<{ read: number; rejected: number; first: string[] }> {
  const now = Math.floor(Date.now() / 1000);
  const first: string[] = [];
  let [read, rejected] = [0, 0];
  for await (const batch of records) {
    for (const record of batch) {
      read++;
      const accepted = "problem" in record ? record.problem : validateRecord(resource, record.value, now);
      if (typeof accepted === "object" && "row" in accepted) {
        if (first.length < shownRecords) first.push(served(resource, accepted.row));
      } else {
        rejected++;
        reject(record, accepted, read - 1, rejections.add.bind(rejections));
      }
    }
  }
  return { read, rejected, first };
}

/** A record as JSON, its long texts shortened. */
function served(resource: Resource, row: Parameters<typeof encodeRecord>[1]): string {
  const { fragments, heavy } = encodeRecord(resource, row, rendering);
  const json = fragments.map((fragment, at) => fragment + (heavy[at] ?? "")).join("");
  const shorten = (_: string, value: unknown) =>
    typeof value === "string" && value.length > shownText ? `${value.slice(0, shownText - 1)}…` : value;
  return JSON.stringify(JSON.parse(json), shorten);
}

function row({ name, kind, example }: ColumnProfile, mapper: Mapper): string[] {
  const use = mapper.use(name);
  const fields = typeof use === "string" ? use : use.map((target) => target.name).join(", ");
  const text = example === undefined ? "" : (JSON.stringify(example) ?? "");
  return [name, kind, text.length > 40 ? `${text.slice(0, 39)}…` : text, fields];
}

const indented = (text: string): string => text.replaceAll(/^/gm, "  ");
