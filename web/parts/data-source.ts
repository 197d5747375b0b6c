// Data source of a section: a request, its result, and its entry in the view's list of requests.
import type { ApiRequest } from "../api/request.ts";
import { type FetchResult, useResponse } from "../api/use-response.ts";
import type { Call } from "./api-panel.tsx";

export type DataSource = {
  /** In the list of the view's requests. */
  readonly title: string;
  /** Undefined until the OpenAPI document is loaded. */
  readonly request: ApiRequest | undefined;
  readonly result: FetchResult;
};

export const useDataSource = (title: string, request: ApiRequest | undefined): DataSource => ({
  title,
  request,
  result: useResponse(request),
});

/** Whether all of them have a response or a failure: sections below appear only then, so that nothing moves. */
export const isSettled = (...sources: readonly DataSource[]): boolean =>
  sources.every(({ result }) => result.response !== undefined || result.failure !== undefined);

export function callOf({ title, request, result }: DataSource): Call[] {
  if (request === undefined) return [];
  return [{ title, request, ...(result.response === undefined ? {} : { body: result.response.body }) }];
}
