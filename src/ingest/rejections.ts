// Reports rejected records: the first of each kind in full, the rest as a count.
import type { FieldError } from "../core/record/validate.ts";
import type { Rejection } from "./import.ts";

type ReporterOptions = {
  readonly file: string;
  /** How records are found in the file: a response may have all of them on one line, and Parquet has no lines. */
  readonly locate: () => "line" | "record" | "both";
  readonly print: (line: string) => void;
  /** What would make a value acceptable. */
  readonly hint: (error: FieldError) => string | undefined;
};

/** Rejections of a kind that are printed in full. */
const maxPrinted = 10;

/** More kinds than this are counted as one. */
const maxKinds = 200;

type Kind = { readonly reasons: string; count: number };

export class RejectionReporter {
  readonly #options: ReporterOptions;
  readonly #kinds = new Map<string, Kind>();
  readonly #hints = new Set<string>();
  #fromHeader = 0;
  /** Attributes whose problem was reported with the header. */
  #reported: ReadonlySet<string> = new Set();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Reports problems of the header once. */
  header(problems: readonly string[], attributes: ReadonlySet<string>): void {
    for (const problem of problems) this.#options.print(`${this.#options.file}:1: header line: ${problem}`);
    this.#reported = attributes;
  }

  add(line: number, reasons: readonly string[], { index, value, refusals }: Rejection): void {
    const isNew = (at: number) => !this.#reported.has(refusals[at]?.field ?? "");
    const shown = reasons.filter((_, at) => isNew(at));
    if (shown.length === 0) {
      this.#fromHeader++;
      return;
    }
    for (const refusal of refusals) this.#hints.add(this.#options.hint(refusal) ?? "");
    const kind = this.#kindOf(
      refusals.filter((_, at) => isNew(at)),
      shown,
    );
    kind.count++;
    if (kind.count > maxPrinted) return;
    const { file, print } = this.#options;
    const locate = this.#options.locate();
    const where = locate === "record" ? file : `${file}:${line}`;
    const position = locate === "line" ? where : `${where}: record ${index + 1}${idOf(value)}`;
    print(`${position}: refused: ${shown.join("; ")}`);
  }

  /** Reports what was only counted. */
  end(): void {
    const { file, print } = this.#options;
    if (this.#fromHeader > 0) print(`${file}: refused ${records(this.#fromHeader)} because of the header`);
    for (const { reasons, count } of this.#kinds.values())
      if (count > maxPrinted)
        print(`${file}: refused ${records(count - maxPrinted, "more ")} like the last: ${reasons}`);
    for (const hint of this.#hints) if (hint !== "") print(`${file}: hint: ${hint}`);
  }

  #kindOf(refusals: readonly FieldError[], reasons: readonly string[]): Kind {
    const isParsed = refusals.some(({ field }) => field !== "");
    const key = isParsed
      ? refusals.map(({ field, expected }) => `${field.replaceAll(/\[\d+\]/g, "[]")} ${expected}`).join("; ")
      : reasons.join("; ").replaceAll(/".*"|'.*'|\d+/g, "");
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const isFull = this.#kinds.size >= maxKinds;
    const other = isFull ? this.#kinds.get("") : undefined;
    const made = other ?? { reasons: isFull ? "other reasons" : describe(refusals, reasons), count: 0 };
    this.#kinds.set(isFull ? "" : key, made);
    return made;
  }
}

/** Without the value received, which differs. */
function describe(refusals: readonly FieldError[], reasons: readonly string[]): string {
  const parts = refusals.map(({ field, expected }, at) =>
    field === ""
      ? (reasons[at] ?? "")
      : expected === "no such attribute"
        ? `${field}: ${expected}`
        : `${field}: expected ${expected}`,
  );
  return parts.join("; ");
}

const records = (count: number, more = ""): string =>
  `${count.toLocaleString("en")} ${more}${count === 1 ? "record" : "records"}`;

function idOf(value: unknown): string {
  if (typeof value !== "object" || value === null || !("id" in value)) return "";
  const id = JSON.stringify(value.id) ?? "";
  return ` (id ${id.length > 60 ? `${id.slice(0, 59)}…` : id})`;
}
