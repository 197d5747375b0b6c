// Bulk files: all records of a resource as one file.
import { endpointGroup } from "../core/catalog/endpoint.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { bulkFileName, bulkFormatNames } from "../core/output/bulk.ts";

const path = "/api/v2.1/bulk/{file}";

export const bulkEndpoints = (catalog: readonly Resource[]) => {
  const names = catalog.flatMap((resource) => bulkFormatNames.map((format) => bulkFileName(resource, format)));
  const example = names[0] ?? "";
  return endpointGroup({
    tag: {
      name: "Bulk files",
      description:
        "All records of a resource as one file. Extensions of the interface, for keys with the scope `bulk`, in the `Authorization` header only.",
    },
    page: {
      title: "Bulk files",
      intro:
        "All records of a resource as one file, for analyses that would otherwise read thousands of pages. [Bulk files](../bulk.md) shows how to read them with DuckDB and pandas.",
      key: "analyst",
      bullets: [
        "**Files.** `parquet` has [typed columns](../bulk.md#parquet). `ndjson.gz` has one record per line, with every field that its list can return, compressed with gzip. Records are in the order of their IDs.",
        "**Snapshots.** A file is generated when it is first requested, which can take minutes, and again when records have changed and it is older than the setting `bulk-minutes`. `Last-Modified` says when it was.",
        "**Keys.** A key that may not read the resource, or has a history limit or a delay, gets a 403.",
      ],
    },
    endpoints: {
      readBulk: {
        method: "GET",
        path,
        scope: "bulk",
        unguarded: true,
        segments: {
          file: {
            description: "Name of the resource and format.",
            schema: { type: "string", enum: names },
          },
        },
        headers: {
          Range: {
            description: "One range of bytes, such as `bytes=0-1023`; of several at once, the whole file is returned.",
            schema: { type: "string", examples: ["bytes=0-1023"] },
          },
          "If-Range": {
            description:
              "ETag or date of the file that the range belongs to; the whole file is returned if it has changed.",
            schema: { type: "string" },
          },
        },
        example: { segments: { file: example } },
        summary: "A bulk file",
        description: [
          "All records of a resource. The ETag is strong and changes with the contents; an interrupted download resumes with `Range` and `If-Range`.",
        ],
        responses: {
          200: {
            description: "The file",
            type: "application/octet-stream",
            schema: { type: "string", format: "binary" },
          },
          206: {
            description: "The range of the file",
            type: "application/octet-stream",
            schema: { type: "string", format: "binary" },
          },
        },
        problems: ["request.path", "request.range"],
      },
    },
    schemas: {},
  });
};
