// What keys have used as a row of the table `usage`, which both databases have alike.
import type { UsageRow } from "../store.ts";

export const usageCounts = ["requests", "records", "bytes", "errors", "limited"] as const;

export const usageColumns = ["day", "key", "resource", ...usageCounts] as const satisfies readonly (keyof UsageRow)[];
