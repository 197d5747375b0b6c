// Dialog to share and save a view: its link, its records as files, private URLs, and saved views.
import { useRef, useState } from "preact/hooks";
import { useDocument } from "../../api/document.ts";
import type { Failure } from "../../api/failure.ts";
import { useSignal } from "../../app/signal.ts";
import type { Call } from "../api-panel.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Dialog } from "../dialog.tsx";
import { Notice } from "../notice.tsx";
import { download, type Format, formatsOf, inFormat, saveFile } from "./download.ts";
import { PrivateUrl, type Source } from "./private-url.tsx";
import { removeView, savedViews, saveView } from "./saved-views.ts";

export type ShareProps = { readonly title: string; readonly calls: readonly Call[]; readonly onClose: () => void };

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
