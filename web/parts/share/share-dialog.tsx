// Dialog to share and save a view: its link, its records as files, private URLs, and saved views.
import { useRef, useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { type Listing, useDocument } from "../../api/document.ts";
import type { Failure } from "../../api/failure.ts";
import { type ApiRequest, urlOf } from "../../api/request.ts";
import { useSignal } from "../../app/signal.ts";
import type { Call } from "../api-panel.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Dialog } from "../dialog.tsx";
import { Notice } from "../notice.tsx";
import { download, type Format, formatsOf, inFormat, saveFile } from "./download.ts";
import { removeView, savedViews, saveView } from "./saved-views.ts";

export type ShareProps = { readonly title: string; readonly calls: readonly Call[]; readonly onClose: () => void };

type Source = { readonly title: string; readonly listing: Listing; readonly request: ApiRequest };

export default function ShareDialog({ title, calls, onClose }: ShareProps) {
  const { listings = [], paths = {} } = useDocument() ?? {};
  const sources = calls.flatMap(({ title: name, request }): Source[] => {
    const listing = listings.find(({ path }) => path === request.path);
    return listing === undefined || formatsOf(listing).length === 0 ? [] : [{ title: name, listing, request }];
  });
  return (
    <Dialog title="Share and save" onClose={onClose} wide>
      <div class="share">
        <section aria-label="Link">
          <h3>Link</h3>
          <p>
            <CopyButton text={window.location.href} label="Copy link" />{" "}
            <span class="faint">Shows the same view, with the same filters, to anyone with a key for this server.</span>
          </p>
        </section>
        {sources.length > 0 && (
          <section aria-label="Download">
            <h3>Download</h3>
            {sources.map((source) => (
              <Downloads key={source.title} source={source} isOnly={sources.length === 1} />
            ))}
          </section>
        )}
        {sources.length > 0 && paths.listLinks !== undefined && <PrivateUrl sources={sources} path={paths.listLinks} />}
        <SavedViews title={title} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Downloads({ source, isOnly }: { readonly source: Source; readonly isOnly: boolean }) {
  const { title, listing, request } = source;
  const [state, setState] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const start = async ({ name, label }: Format) => {
    setFailure(undefined);
    setState(`Downloading ${label}…`);
    const done = await download(inFormat(request, listing, name), name, (pages) => {
      if (pages > 1) setState(`Downloading ${label}… page ${pages}`);
    });
    if ("failure" in done) {
      setFailure(done.failure);
      setState("");
      return;
    }
    saveFile(done.blob, `${listing.name}.${name}`);
    setState(
      done.isComplete ? `${label} downloaded` : `${label} downloaded, but only the first records: there are more`,
    );
  };
  return (
    <>
      <div class="share-row">
        {!isOnly && <span>{title}</span>}
        {formatsOf(listing).map((format) => (
          <button
            key={format.name}
            type="button"
            {...(isOnly ? {} : { "aria-label": `${title} as ${format.label}` })}
            onClick={() => void start(format)}
          >
            {format.label}
          </button>
        ))}
        <span class="faint" role="status">
          {state}
        </span>
      </div>
      {failure !== undefined && <Notice failure={failure} />}
    </>
  );
}

/** For calendar apps, spreadsheets, and feed readers, which can't send a key. */
function PrivateUrl({ sources, path }: { readonly sources: readonly Source[]; readonly path: string }) {
  const [at, setAt] = useState(0);
  const [url, setUrl] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [key, setKey] = useState("");
  const source = sources[at] ?? (sources[0] as Source);
  // Operators create URLs for others: their own key isn't meant.
  const needsKey = failure?.errors.some(({ parameter }) => parameter === "key") === true;
  const create = async ({ name, label }: Format) => {
    setFailure(undefined);
    setUrl(undefined);
    const { title, listing, request } = source;
    const owner = key.trim() === "" ? {} : { key: key.trim() };
    const body = { url: urlOf(inFormat(request, listing, name)), name: `${title}, ${label}`, ...owner };
    const outcome = await send({ method: "POST", path, params: [], body }, new AbortController().signal);
    if ("failure" in outcome) setFailure(outcome.failure);
    else setUrl(`${window.location.origin}${(outcome.response.body as { readonly url: string }).url}`);
  };
  return (
    <section aria-label="Private URL">
      <h3>Private URL</h3>
      <p class="faint">
        For a calendar app, a spreadsheet, or a feed reader. Whoever has it can read this list, and nothing else, until
        it is revoked.
      </p>
      <div class="share-row">
        {sources.length > 1 && (
          <select
            aria-label="List"
            value={String(at)}
            onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
          >
            {sources.map(({ title }, index) => (
              <option key={title} value={String(index)}>
                {title}
              </option>
            ))}
          </select>
        )}
        {formatsOf(source.listing).map((format) => (
          <button
            key={format.name}
            type="button"
            aria-label={`Create private URL: ${format.label}`}
            onClick={() => void create(format)}
          >
            {format.label}
          </button>
        ))}
      </div>
      {(needsKey || key !== "") && (
        <label class="field" for="link-key">
          <span>Name of the key to read with</span>
          <input
            id="link-key"
            value={key}
            autocomplete="off"
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
      )}
      {url !== undefined && (
        <div class="snippet">
          <CopyButton text={url} label="Copy URL" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
          <section class="code" tabIndex={0} aria-label="Private URL, shown only now">
            <pre>{url}</pre>
          </section>
        </div>
      )}
      {failure?.kind === "forbidden" ? (
        <p class="field-error" role="alert">
          This key can’t create private URLs. The operator can add the scope <code>links</code>.
        </p>
      ) : (
        failure !== undefined && !(needsKey && key === "") && <Notice failure={failure} />
      )}
    </section>
  );
}

function SavedViews({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  const views = useSignal(savedViews);
  const input = useRef<HTMLInputElement>(null);
  return (
    <section aria-label="Saved views">
      <h3>Saved views</h3>
      <form
        class="share-row"
        onSubmit={(event) => {
          event.preventDefault();
          const name = input.current?.value.trim() ?? "";
          if (name !== "") saveView({ name, href: `${window.location.pathname}${window.location.search}` });
        }}
      >
        <label class="hidden" for="view-name">
          Name of this view
        </label>
        <input id="view-name" ref={input} defaultValue={title} autocomplete="off" maxLength={80} />
        <button type="submit" class="primary">
          Save this view
        </button>
      </form>
      {views.length > 0 && (
        <ul class="saved-views">
          {views.map(({ name, href }) => (
            <li key={name}>
              <a href={href} onClick={onClose}>
                {name}
              </a>
              <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => removeView(name)}>
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="faint">Stored only in this browser.</p>
    </section>
  );
}
