// What is done with keys, each in a dialog of its own: making, changing, replacing, revoking. A new key is shown once.
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
import { changeRequest, type Key, type MadeKey, makeRequest, replaceRequest, revokeRequest } from "./administration.ts";
import { TermFields } from "./term-fields.tsx";
import { changedTerms, type Texts, termsOf, textOfTerm } from "./terms.ts";

export type KeyAct = { readonly kind: "make" } | { readonly kind: "change" | "replace" | "revoke"; readonly held: Key };

type Props = {
  readonly act: KeyAct;
  /** Called when something has changed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
};

export function KeyActDialog({ act, onDone, onClose }: Props) {
  const [made, setMade] = useState<MadeKey>();
  if (made !== undefined) return <MadeDialog made={made} onClose={onClose} />;
  const props = {
    onClose,
    /** The answer to making or replacing holds the key; that to anything else is of no more interest. */
    onDone: (body: unknown) => {
      onDone();
      if (isMade(body)) setMade(body);
      else onClose();
    },
  };
  if (act.kind === "revoke") return <RevokeDialog {...props} held={act.held} />;
  if (act.kind === "replace") return <ReplaceDialog {...props} held={act.held} />;
  return <TermsDialog {...props} held={act.kind === "change" ? act.held : undefined} />;
}

const isMade = (body: unknown): body is MadeKey =>
  typeof body === "object" && body !== null && "key" in body && typeof body.key === "string";

type ActProps = { readonly onDone: (body: unknown) => void; readonly onClose: () => void };

function TermsDialog({ held, onDone, onClose }: ActProps & { readonly held: Key | undefined }) {
  const terms = termsOf(useDocument()?.objects.Terms ?? {});
  const before: Texts = Object.fromEntries(terms.map((term) => [term.name, textOfTerm(term, held?.[term.name])]));
  const [name, setName] = useState("");
  // Enter leaves a field and sends the form in one moment: what is sent is read from here, not from what was drawn.
  const set = useRef<Texts>({});
  const [, redraw] = useState({});
  const texts = () => ({ ...before, ...set.current });
  const request = () => {
    const body = changedTerms(terms, before, texts());
    return held === undefined ? makeRequest({ name: name.trim(), ...body }) : changeRequest(held.name, body);
  };
  return (
    <ActForm
      title={held === undefined ? "New key" : `Change ${held.name}`}
      doing={held === undefined ? "Make the key" : "Change the key"}
      request={request}
      onDone={onDone}
      onClose={onClose}
      wide
    >
      {(failure) => (
        <>
          {held === undefined && (
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
    </ActForm>
  );
}

const usualHours = 24;

function ReplaceDialog({ held, onDone, onClose }: ActProps & { readonly held: Key }) {
  const [hours, setHours] = useState(String(usualHours));
  return (
    <ActForm
      title={`Replace ${held.name}`}
      doing="Make the new key"
      request={() => replaceRequest(held.name, hours.trim() === "" ? usualHours : Number(hours))}
      onDone={onDone}
      onClose={onClose}
    >
      {() => (
        <>
          <p>
            A new key of the same name and terms is made. The old one stays good for a while, so that nobody is cut off.
          </p>
          <label class="field" for="grace">
            <span>Hours that the old key stays good; 0 ends it now</span>
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
    </ActForm>
  );
}

function RevokeDialog({ held, onDone, onClose }: ActProps & { readonly held: Key }) {
  return (
    <ActForm
      title={`Revoke ${held.name}`}
      doing="Revoke the key"
      request={() => revokeRequest(held.name)}
      onDone={onDone}
      onClose={onClose}
    >
      {() => (
        <p>
          The key ends at once and for good, and so do those that it has replaced. Whoever uses it is refused from then
          on{held.owner === "" ? "" : `: ${held.owner}`}. If it is the key of this page, the page asks for another one.
        </p>
      )}
    </ActForm>
  );
}

type FormProps = {
  readonly title: string;
  /** What the button says. */
  readonly doing: string;
  /** What is to be sent, as things are now. */
  readonly request: () => ApiRequest;
  readonly onDone: (body: unknown) => void;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: (failure: Failure | undefined) => ComponentChildren;
};

/** Sends once; what is refused is said here, and can be mended here. */
function ActForm({ title, doing, request, onDone, onClose, wide = false, children }: FormProps) {
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
    else onDone(outcome.answer.body);
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
          <summary>As an API call</summary>
          <ApiPanel calls={[{ title, request: request() }]} />
        </details>
        <p class="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {doing}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** The key stands in no other place: the server keeps a hash of it alone. */
function MadeDialog({ made, onClose }: { readonly made: MadeKey; readonly onClose: () => void }) {
  return (
    <Dialog title={`The key ${made.name}`} onClose={onClose}>
      <div>
        <p>
          <strong>Copy it now: it is shown only this once.</strong> The server keeps a hash of it and can’t show it
          again.
        </p>
        <div class="snippet">
          <CopyButton text={made.key} label="Copy the key" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section class="code" tabIndex={0} aria-label="The key">
            <pre>{made.key}</pre>
          </section>
        </div>
        <p class="dialog-actions">
          <button type="button" class="primary" onClick={onClose}>
            I have it
          </button>
        </p>
      </div>
    </Dialog>
  );
}
