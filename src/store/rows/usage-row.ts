// Columns of the table `usage`, the same in both databases.
import type { UsageRow } from "../store.ts";

export const usageCounts = ["requests", "records", "bytes", "errors", "limited"] as const;

export const usageColumns = ["day", "key", "resource", ...usageCounts] as const satisfies readonly (keyof UsageRow)[];
