// Every endpoint that is no list of records. To add one, describe it in a group and give it a handler in src/http.
import type { Resource } from "../core/catalog/resource.ts";
import { bulkEndpoints } from "./bulk.ts";
import { keyEndpoints } from "./keys.ts";
import { linkEndpoints } from "./links.ts";
import { operationEndpoints } from "./operations.ts";
import { recordEndpoints } from "./records.ts";
import { replicationEndpoints } from "./replication.ts";
import { serverEndpoints } from "./server.ts";
import { usageEndpoints } from "./usage.ts";
import { webhookEndpoints } from "./webhooks.ts";

/** By the file name of their page, in the order in which they are documented. */
export const endpointGroups = (catalog: readonly Resource[]) => ({
  bulk: bulkEndpoints(catalog),
  replication: replicationEndpoints(catalog),
  administration: recordEndpoints(catalog),
  keys: keyEndpoints(catalog),
  links: linkEndpoints,
  usage: usageEndpoints,
  webhooks: webhookEndpoints(catalog),
  operations: operationEndpoints(catalog),
  server: serverEndpoints,
});

/** Endpoints by operation ID. */
export const endpointsOf = (catalog: readonly Resource[]) => {
  const { bulk, replication, administration, keys, links, usage, webhooks, operations, server } =
    endpointGroups(catalog);
  return {
    ...bulk.endpoints,
    ...replication.endpoints,
    ...administration.endpoints,
    ...keys.endpoints,
    ...links.endpoints,
    ...usage.endpoints,
    ...webhooks.endpoints,
    ...operations.endpoints,
    ...server.endpoints,
  };
};

export type Endpoints = ReturnType<typeof endpointsOf>;
