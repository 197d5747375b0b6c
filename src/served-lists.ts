// Everything that a server of this package serves: its lists, their compatible variants, documents, and the web page.
import { version } from "./package.ts";
import { catalog } from "./resources/catalog.ts";
import { compatTable } from "./resources/compat/compat.ts";
import { extensions } from "./resources/lists/extensions.ts";
import { pageFolder } from "./web-files.ts";

export const servedLists = {
  catalog,
  extensions,
  compatTable,
  pageFolder,
  openapi: async () =>
    (await import("./docs/openapi/openapi.ts")).openapi(catalog, { version }, extensions, compatTable),
  asyncapi: async () => (await import("./docs/asyncapi.ts")).asyncapi(catalog, { version }),
  reference: async () => (await import("./docs/llms.ts")).servedReference(catalog, extensions, compatTable),
};
