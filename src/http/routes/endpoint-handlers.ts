// Registers the handlers of all endpoints that are described as data.
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { type Endpoints, endpointsOf } from "../../endpoints/endpoints.ts";
import { type BulkDeps, bulkHandlers } from "../bulk/handler.ts";
import { type LinkHandlerDeps, linkHandlers } from "../links/handlers.ts";
import { type McpDeps, mcpHandler } from "../mcp/route.ts";
import { changeHandlers } from "./changes.ts";
import { type EndpointDeps, type Handlers, serveEndpoints } from "./endpoints.ts";
import { healthHandlers } from "./health.ts";
import { type KeyDeps, keyHandlers } from "./keys.ts";
import { type RecordDeps, recordHandlers } from "./records.ts";
import { type DocumentSource, servedDocument } from "./reference.ts";
import { type StatusDeps, statusHandlers } from "./status.ts";
import { type UsageDeps, usageHandlers } from "./usage.ts";
import { pageSettings } from "./web-settings.ts";
import { type WebhookDeps, webhookHandlers } from "./webhooks.ts";

type Deps = EndpointDeps &
  BulkDeps &
  KeyDeps &
  LinkHandlerDeps &
  StatusDeps &
  RecordDeps &
  McpDeps &
  UsageDeps &
  WebhookDeps & {
    /** Whether a request came in on the public port of a server with a separate port for administration. */
    readonly isPublic: (request: IncomingMessage) => boolean;
    readonly openapi: DocumentSource;
    readonly asyncapi: DocumentSource;
  };

export function endpointRoutes(app: FastifyInstance, deps: Deps): void {
  const { info } = deps.openapi as { info?: { version?: string } };
  const handlers: Handlers<Endpoints> = {
    ...bulkHandlers(deps),
    ...changeHandlers(deps),
    ...recordHandlers(deps, (wait) => app.addHook("onClose", async () => void (await wait()))),
    ...keyHandlers(deps),
    ...linkHandlers(deps),
    ...usageHandlers(deps),
    ...webhookHandlers(deps),
    ...statusHandlers(deps),
    ...healthHandlers(deps.store, deps.gate, ({ raw }) => deps.isPublic(raw)),
    getPageSettings: pageSettings({ ...deps, version: info?.version ?? deps.info.version, setup: deps.info.setup }),
    callMcp: mcpHandler(deps),
    getDescription: servedDocument(deps.openapi),
    getEventDescription: servedDocument(deps.asyncapi),
  };
  serveEndpoints(app, endpointsOf(deps.catalog), handlers, deps);
}
