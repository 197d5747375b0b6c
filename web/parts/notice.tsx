// Shows a failed request: what is wrong, with which parameters, and what the user can do.
import type { Failure } from "../api/failure.ts";
import { keyDialogOpen } from "../api/key.ts";

type Props = { readonly failure: Failure; readonly refetch?: (() => void) | undefined };

const hints: Readonly<Record<Failure["kind"], string>> = {
  key: "",
  forbidden: "Try a different API key.",
  limited: "Retrying automatically.",
  unavailable: "Retrying automatically.",
  invalid: "",
  internal: "See the server’s log for details.",
};

export function Notice({ failure, refetch }: Props) {
  const { kind, title, detail, errors, retryAfter, requestId } = failure;
  // The shell shows one notice about the key for the whole page.
  if (kind === "key") return null;
  return (
    <div class={`notice ${kind}`} role="alert">
      <strong>{title}</strong>
      <p>
        {detail} {kind === "limited" && retryAfter !== undefined ? `Retrying in ${retryAfter} s.` : hints[kind]}
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => (
            <li key={error.parameter}>
              <code>{error.parameter}</code>: received <q>{error.given}</q>, expected {error.expected}
            </li>
          ))}
        </ul>
      )}
      <p class="notice-actions">
        {kind === "forbidden" && (
          <button type="button" onClick={() => keyDialogOpen.set(true)}>
            Use a different key
          </button>
        )}
        {refetch !== undefined && ["forbidden", "limited", "unavailable", "internal"].includes(kind) && (
          <button type="button" onClick={refetch}>
            Retry
          </button>
        )}
        {requestId !== undefined && <span class="faint">Request ID: {requestId}</span>}
      </p>
    </div>
  );
}
