// Files far larger than the heap: imports and exports need the same small heap whatever their size.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, describe, test } from "node:test";
import { createGzip } from "node:zlib";
import { runs } from "../support/budget.ts";

const cli = join(import.meta.dirname, "../../src/cli.js");
const folder = mkdtempSync(join(tmpdir(), "bellwire-memory-"));
after(() => rmSync(folder, { recursive: true }));

const heapMb = runs(40, 64);
const heap = `--max-old-space-size=${heapMb}`;
const sentence = "Shares of the company rose after it said that earnings for the quarter were above estimates. ";
const textOf = (length: number) => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);

/** November: New York is five hours behind UTC throughout. */
const printed = (seconds: number) => new Date((seconds - 5 * 3600) * 1000).toUTCString().replace("GMT", "-0500");

/** Lines exactly as an export writes them: attributes and records in order, nothing empty. */
type Lines = { readonly count: number; readonly line: (n: number) => string };

const ratings: Lines = {
  count: runs(1300, 4000),
  line: (n) =>
    JSON.stringify({
      ...{ date: "2024-11-05", id: `r${String(n).padStart(6, "0")}`, name: "Example Inc." },
      ...{ notes: textOf(38_000 + (n % 500)), ticker: `T${n % 900}`, time: "09:30:00", updated: 1_700_000_000 + n },
    }),
};

/** Most bodies are short, every hundredth has more than a million characters. */
const news: Lines = {
  count: 1600,
  line: (n) => {
    const moment = printed(1_730_800_000 + 60 * n);
    const body = `<p>${textOf(n % 100 === 99 ? 1_300_000 : 200 + (n % 4000))}</p>`;
    return JSON.stringify({ body, created: moment, id: 40_000_000 + n, title: `Title ${n}`, updated: moment });
  },
};

const hashes: Record<string, string> = {};

/** Writes the lines as they are generated, and hashes them. */
async function pour(name: string, { count, line }: Lines, ...to: [Writable] | [NodeJS.ReadWriteStream, Writable]) {
  const hash = createHash("sha256");
  let bytes = 0;
  function* chunks() {
    for (let n = 0; n < count; n++) {
      const text = `${line(n)}\n`;
      hash.update(text);
      bytes += text.length;
      yield text;
    }
  }
  await pipeline([Readable.from(chunks()), ...to]);
  hashes[name] = hash.digest("hex");
  return bytes;
}

function run(...words: string[]): ChildProcess & { readonly stdin: Writable; readonly stdout: Readable } {
  const args = [heap, cli, ...words, "--database", join(folder, "test.db")];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
}

/** The output of a command, hashed as it arrives, and how it exited. */
async function ended(child: ChildProcess) {
  const hash = createHash("sha256");
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    hash.update(chunk);
    if (stdout.length < 1000) stdout += chunk.toString("latin1", 0, 1000);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (...how) => resolve(how));
  });
  return { stdout, stderr, code, signal, digest: hash.digest("hex") };
}

const created = (count: number) => `read ${count}, created ${count}, updated 0, unchanged 0, refused 0\n`;

describe(`a heap of ${heapMb} MB`, () => {
  test("is enough to import more than that out of a gzipped file", async () => {
    const file = join(folder, "ratings.ndjson.gz");
    const bytes = await pour("ratings", ratings, createGzip({ level: 1 }), createWriteStream(file));
    assert.ok(bytes > runs(45e6, 150e6), `${bytes} bytes`);
    const child = run("import", "ratings", file);
    child.stdin.end();
    const { stdout, stderr, code } = await ended(child);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, created(ratings.count));
  });

  test("is enough to import news with long bodies from standard input", async () => {
    const child = run("import", "news", "-");
    const end = ended(child);
    // A process that dies closes the pipe; its exit status is more informative than the broken pipe.
    const [{ stdout, stderr, code }] = await Promise.all([end, pour("news", news, child.stdin).catch(() => {})]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, created(news.count));
  });

  for (const name of ["ratings", "news"]) {
    test(`is enough to export ${name}, byte for byte what was imported`, async () => {
      const child = run("export", name);
      child.stdin.end();
      const { stderr, code, digest } = await ended(child);
      assert.equal(code, 0, stderr);
      assert.equal(digest, hashes[name]);
    });
  }
});
