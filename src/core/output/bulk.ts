// Bulk files: their formats and names.
import type { Resource } from "../catalog/resource.ts";

export type BulkFormat = "parquet" | "ndjson.gz";

export const bulkFormats: Readonly<Record<BulkFormat, { readonly contentType: string }>> = {
  parquet: { contentType: "application/vnd.apache.parquet" },
  "ndjson.gz": { contentType: "application/gzip" },
};

export const bulkFormatNames = Object.keys(bulkFormats) as readonly BulkFormat[];

export const bulkFileName = ({ name }: Pick<Resource, "name">, format: BulkFormat): string => `${name}.${format}`;
