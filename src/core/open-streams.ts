// Path and parameters of the list of open streams, shared by the endpoint and the hub.
import { enumParameter, integerParameter } from "./catalog/parameter.ts";
import type { Resource } from "./catalog/resource.ts";
import { usageParameters } from "./usage.ts";

export const openStreamsPath = "/admin/v1/streams";

export const transports = ["events", "messages"] as const;

export const phases = ["catching up", "live"] as const;

export const openStreamsParameters = (catalog: readonly Resource[]) => ({
  key: usageParameters.key,
  resource: enumParameter(
    "resource",
    "Only streams of this resource",
    catalog.map(({ name }) => name),
  ),
  limit: integerParameter("limit", "Maximum number of streams", 1, 1000, 100),
});
