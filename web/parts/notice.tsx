// A failure, told as the API means it: what is wrong, which field, what was expected, and what can be done.
import type { Failure } from "../api/failure.ts";
import { keyAsked } from "../api/key.ts";

type Props = { readonly failure: Failure; readonly again?: (() => void) | undefined };

const hints: Readonly<Record<Failure["kind"], string>> = {
  key: "",
  forbidden: "Another key may be allowed to.",
  limited: "It is asked again as soon as that makes sense.",
  away: "It is asked again as soon as the server answers.",
  refused: "",
  fault: "The server’s log holds the reason.",
};

export function Notice({ failure, again }: Props) {
  const { kind, title, detail, errors, retryAfter, requestId } = failure;
  return (
    <div class={`notice ${kind}`} role="alert">
      <strong>{title}</strong>
      <p>
        {detail} {hints[kind]}
        {kind === "limited" && retryAfter !== undefined ? ` That is in ${retryAfter} s.` : ""}
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => (
            <li key={error.parameter}>
              <code>{error.parameter}</code>: got <q>{error.given}</q>, expected {error.expected}
            </li>
          ))}
        </ul>
      )}
      <p class="notice-actions">
        {(kind === "key" || kind === "forbidden") && (
          <button type="button" onClick={() => keyAsked.set(true)}>
            {failure.status === 0 ? "Enter a key" : "Use another key"}
          </button>
        )}
        {again !== undefined && ["forbidden", "limited", "away", "fault"].includes(kind) && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
        {requestId !== undefined && <span class="faint">Request {requestId}</span>}
      </p>
    </div>
  );
}
