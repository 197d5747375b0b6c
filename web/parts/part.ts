// A part of a view: one request, what has become of it, and how it stands among the calls of the view.
import type { ApiRequest } from "../api/request.ts";
import { type Asked, useAnswer } from "../api/use-response.ts";
import type { Call } from "./api-panel.tsx";

export type Part = {
  /** Names the part among the calls of the view. */
  readonly title: string;
  /** Undefined until it is known what to ask. */
  readonly request: ApiRequest | undefined;
  readonly asked: Asked;
};

export const usePart = (title: string, request: ApiRequest | undefined): Part => ({
  title,
  request,
  asked: useAnswer(request),
});

export function callOf({ title, request, asked }: Part): Call[] {
  if (request === undefined) return [];
  return [{ title, request, ...(asked.answer === undefined ? {} : { body: asked.answer.body }) }];
}
