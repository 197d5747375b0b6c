// Records spread over years, many at the boundaries of count periods.
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { RecordInput } from "../clients/api.ts";

/** Boundaries of years, months, and leap days, first and last days of the calendar, and days that share a prefix. */
export const spreadDays = [
  ...["0001-01-01", "1999-12-31", "2000-01-01", "2023-12-31", "2024-01-01", "2024-02-28", "2024-02-29", "2024-03-01"],
  ...["2024-10-31", "2024-11-01", "2024-11-04", "2024-11-05", "2024-11-06", "2024-11-30", "2024-12-01", "2025-01-01"],
  ...["2025-02-28", "2031-05-05", "9999-12-31"],
];

/** Seconds around the boundaries of counted periods, of days in UTC and New York, and of what a key can represent. */
export const spreadSeconds = [
  ...[0, 9999, 10_000, 9_999_999, 10_000_000, 2 ** 31, 4_294_959_999, 4_294_960_000, 2 ** 32 - 1],
  ...[-1, 0, 1, 60, 3600, 9999, 10_000, 18_000, 86_399, 86_400, 99_999, 100_000].map((after) => 1_730_700_000 + after),
  ...[-1, 0, 1, 86_399, 86_400].map((after) => 1_730_782_800 + after),
];

/** The records, moved to these days or seconds, most of which are shared. */
export const spread = (resource: Resource, records: readonly RecordInput[]): RecordInput[] =>
  records.map((record, index) => {
    // Unordered and uneven: some periods are crowded.
    const at = (index * index + 3 * index) % 97;
    const day = spreadDays[at % spreadDays.length];
    const second = spreadSeconds[at % spreadSeconds.length] ?? 0;
    return resource.packedKey === undefined ? { ...record, date: day } : { ...record, created: second };
  });
