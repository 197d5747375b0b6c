// Dialogs to create, edit, rotate, and revoke keys. A new key is shown once.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { useDocument } from "../../api/document.ts";
import type { Failure } from "../../api/failure.ts";
import type { ApiRequest } from "../../api/request.ts";
import { ApiPanel } from "../../parts/api-panel.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import {
  type CreatedKey,
  createRequest,
  type Key,
  revokeRequest,
  rotateRequest,
  updateRequest,
} from "./administration.ts";
import { TermFields } from "./term-fields.tsx";
import { changedTerms, type Texts, termsOf, textOfTerm } from "./terms.ts";

export type KeyAction =
  | { readonly kind: "create" }
  | { readonly kind: "edit" | "rotate" | "revoke"; readonly apiKey: Key };

type Props = {
  readonly action: KeyAction;
  /** Called after a change. */
  readonly onDone: () => void;
  readonly onClose: () => void;
};

export function KeyActionDialog({ action, onDone, onClose }: Props) {
  const [created, setCreated] = useState<CreatedKey>();
  if (created !== undefined) return <CreatedDialog created={created} onClose={onClose} />;
  const props = {
    onClose,
    /** Only the responses to creating and rotating contain a key. */
    onDone: (body: unknown) => {
      onDone();
      if (isCreatedKey(body)) setCreated(body);
      else onClose();
    },
  };
  if (action.kind === "revoke") return <RevokeDialog {...props} apiKey={action.apiKey} />;
  if (action.kind === "rotate") return <RotateDialog {...props} apiKey={action.apiKey} />;
  return <TermsDialog {...props} apiKey={action.kind === "edit" ? action.apiKey : undefined} />;
}

const isCreatedKey = (body: unknown): body is CreatedKey =>
  typeof body === "object" && body !== null && "key" in body && typeof body.key === "string";

type ActionProps = { readonly onDone: (body: unknown) => void; readonly onClose: () => void };

function TermsDialog({ apiKey, onDone, onClose }: ActionProps & { readonly apiKey: Key | undefined }) {
  const terms = termsOf(useDocument()?.objects.Terms ?? {});
  const before: Texts = Object.fromEntries(terms.map((term) => [term.name, textOfTerm(term, apiKey?.[term.name])]));
  const [name, setName] = useState("");
  // Enter blurs a field and submits the form before the next render, so the current values are in a ref.
  const set = useRef<Texts>({});
  const [, redraw] = useState({});
  const texts = () => ({ ...before, ...set.current });
  const request = () => {
    const body = changedTerms(terms, before, texts());
    return apiKey === undefined ? createRequest({ name: name.trim(), ...body }) : updateRequest(apiKey.name, body);
  };
  return (
    <ActionForm
      title={apiKey === undefined ? "New API key" : `Edit ${apiKey.name}`}
      submitLabel={apiKey === undefined ? "Create key" : "Save changes"}
      request={request}
      onDone={onDone}
      onClose={onClose}
      wide
    >
      {(failure) => (
        <>
          {apiKey === undefined && (
            <label class="field" for="key-name">
              <span>Name</span>
              <input
                id="key-name"
                value={name}
                required
                autocomplete="off"
                placeholder="acme"
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            </label>
          )}
          <TermFields
            terms={terms}
            texts={texts()}
            failure={failure}
            onChange={(term, text) => {
              set.current = { ...set.current, [term]: text };
              redraw({});
            }}
          />
        </>
      )}
    </ActionForm>
  );
}

const defaultGraceHours = 24;

function RotateDialog({ apiKey, onDone, onClose }: ActionProps & { readonly apiKey: Key }) {
  const [hours, setHours] = useState(String(defaultGraceHours));
  return (
    <ActionForm
      title={`Rotate ${apiKey.name}`}
      submitLabel="Rotate key"
      request={() => rotateRequest(apiKey.name, hours.trim() === "" ? defaultGraceHours : Number(hours))}
      onDone={onDone}
      onClose={onClose}
    >
      {() => (
        <>
          <p>Creates a new key with the same name and terms. The old key remains valid for a grace period.</p>
          <label class="field" for="grace">
            <span>Grace period in hours (0 revokes the old key immediately)</span>
            <input
              id="grace"
              type="number"
              min="0"
              max="8760"
              value={hours}
              onInput={({ currentTarget }) => setHours(currentTarget.value)}
            />
          </label>
        </>
      )}
    </ActionForm>
  );
}

function RevokeDialog({ apiKey, onDone, onClose }: ActionProps & { readonly apiKey: Key }) {
  return (
    <ActionForm
      title={`Revoke ${apiKey.name}`}
      submitLabel="Revoke key"
      request={() => revokeRequest(apiKey.name)}
      onDone={onDone}
      onClose={onClose}
    >
      {() => (
        <p>
          This permanently revokes the key{apiKey.owner === "" ? "" : ` of ${apiKey.owner}`} and all keys that it
          replaced. Requests with them are rejected immediately. If this page uses the key, you will have to enter
          another one.
        </p>
      )}
    </ActionForm>
  );
}

type FormProps = {
  readonly title: string;

  readonly submitLabel: string;
  /** The request for the current input. */
  readonly request: () => ApiRequest;
  readonly onDone: (body: unknown) => void;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: (failure: Failure | undefined) => ComponentChildren;
};

/** Sends once, and shows errors in the form. */
function ActionForm({ title, submitLabel, request, onDone, onClose, wide = false, children }: FormProps) {
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const aborter = useRef<AbortController>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);
  const submit = async () => {
    aborter.current = new AbortController();
    setBusy(true);
    const outcome = await send(request(), aborter.current.signal);
    setBusy(false);
    if ("failure" in outcome) setFailure(outcome.failure);
    else onDone(outcome.response.body);
  };
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        class="key-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children(failure)}
        {failure !== undefined && <Notice failure={failure} />}
        <details>
          <summary>API request</summary>
          <ApiPanel calls={[{ title, request: request() }]} />
        </details>
        <p class="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {submitLabel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** The key isn't available later: the server stores only its hash. */
function CreatedDialog({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  return (
    <Dialog title={`API key ${created.name}`} onClose={onClose} ignoresEscape>
      <div>
        <p>
          <strong>Copy the key now. It won’t be shown again.</strong> The server stores only its hash.
        </p>
        <div class="snippet">
          <CopyButton text={created.key} label="Copy key" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
          <section class="code" tabIndex={0} aria-label="API key">
            <pre>{created.key}</pre>
          </section>
        </div>
        <p class="dialog-actions">
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </p>
      </div>
    </Dialog>
  );
}
