// Private URL of a list, for calendar apps, spreadsheets, and feed readers, which can't send a key.
import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import type { Listing } from "../../api/document.ts";
import type { Failure } from "../../api/failure.ts";
import { type ApiRequest, urlOf } from "../../api/request.ts";
import { CopyButton } from "../copy-button.tsx";
import { Notice } from "../notice.tsx";
import { type Format, formatsOf, inFormat } from "./download.ts";

export type Source = { readonly title: string; readonly listing: Listing; readonly request: ApiRequest };

/** The URL created last, or the failure to create it. */
function useCreation(path: string) {
  const [url, setUrl] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const create = async ({ title, listing, request }: Source, { name, label }: Format, key: string) => {
    setFailure(undefined);
    setUrl(undefined);
    const body = {
      url: urlOf(inFormat(request, listing, name)),
      name: `${title}, ${label}`,
      ...(key === "" ? {} : { key }),
    };
    const outcome = await send({ method: "POST", path, params: [], body }, new AbortController().signal);
    if ("failure" in outcome) setFailure(outcome.failure);
    else setUrl(`${window.location.origin}${(outcome.response.body as { readonly url: string }).url}`);
  };
  return { url, failure, create };
}

export function PrivateUrl({ sources, path }: { readonly sources: readonly Source[]; readonly path: string }) {
  const [at, setAt] = useState(0);
  const [key, setKey] = useState("");
  const { url, failure, create } = useCreation(path);
  const source = sources[at] ?? (sources[0] as Source);
  // Operators create URLs for others: their own key isn't meant.
  const needsKey = failure?.errors.some(({ parameter }) => parameter === "key") === true;
  return (
    <section aria-label="Private URL">
      <h3>Private URL</h3>
      <p class="faint">
        For a calendar app, a spreadsheet, or a feed reader. Whoever has it can read this list, and nothing else, until
        it is revoked.
      </p>
      <div class="share-row">
        {sources.length > 1 && <SourceSelect sources={sources} at={at} onChange={setAt} />}
        {formatsOf(source.listing).map((format) => (
          <button
            key={format.name}
            type="button"
            aria-label={`Create private URL: ${format.label}`}
            onClick={() => void create(source, format, key.trim())}
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
      {url !== undefined && <NewUrl url={url} />}
      {failure !== undefined && !(needsKey && key === "") && <CreationFailure failure={failure} />}
    </section>
  );
}

type SelectProps = {
  readonly sources: readonly Source[];
  readonly at: number;
  readonly onChange: (at: number) => void;
};

const SourceSelect = ({ sources, at, onChange }: SelectProps) => (
  <select aria-label="List" value={String(at)} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
    {sources.map(({ title }, index) => (
      <option key={title} value={String(index)}>
        {title}
      </option>
    ))}
  </select>
);

const NewUrl = ({ url }: { readonly url: string }) => (
  <div class="snippet">
    <CopyButton text={url} label="Copy URL" />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
    <section class="code" tabIndex={0} aria-label="Private URL, shown only now">
      <pre>{url}</pre>
    </section>
  </div>
);

const CreationFailure = ({ failure }: { readonly failure: Failure }) =>
  failure.kind === "forbidden" ? (
    <p class="field-error" role="alert">
      This key can’t create private URLs. The operator can add the scope <code>links</code>.
    </p>
  ) : (
    <Notice failure={failure} />
  );
