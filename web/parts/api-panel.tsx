// API panel: the requests of a view as URL, curl, JavaScript, and Python, with their JSON responses.
import { useState } from "preact/hooks";
import type { ApiRequest } from "../api/request.ts";
import { type Language, languages, snippet } from "../api/snippets.ts";
import { changeQuery, useLocation } from "../app/location.ts";
import { CopyButton } from "./copy-button.tsx";
import { JsonView } from "./record/json-view.tsx";

/** A request of a view; `body` is the response, once received. */
export type Call = { readonly title: string; readonly request: ApiRequest; readonly body?: unknown };

/** The selected request is in the URL, `call=TITLE`, so that sections can link to theirs. */
export function ApiPanel({ calls }: { readonly calls: readonly Call[] }) {
  const { query } = useLocation();
  const [language, setLanguage] = useState<Language>("URL");
  const call = calls.find(({ title }) => title === query.get("call")) ?? calls[0];
  if (call === undefined) return <p class="faint">This view sends no API requests.</p>;
  const code = snippet(language, call.request, window.location.origin);
  const select = (title: string) => changeQuery({ call: title }, { replace: true });
  return (
    <div class="api-panel">
      {calls.length > 1 && (
        <label class="field">
          <span>Request</span>
          <select value={call.title} onChange={(event) => select(event.currentTarget.value)}>
            {calls.map(({ title }) => (
              <option key={title} value={title}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <fieldset class="choices">
        <legend class="hidden">Language</legend>
        {languages.map((each) => (
          <button key={each} type="button" aria-pressed={each === language} onClick={() => setLanguage(each)}>
            {each}
          </button>
        ))}
      </fieldset>
      <div class="snippet">
        <CopyButton text={code} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
        <section class="code" tabIndex={0} aria-label={`Request as ${language}`}>
          <pre>{code}</pre>
        </section>
      </div>
      <p class="faint">
        Replace <code>YOUR_KEY</code> with your API key. See the <a href="/docs">API reference</a> for all parameters.
      </p>
      {call.body !== undefined && (
        <>
          <h3>Response</h3>
          <JsonView value={call.body} />
        </>
      )}
    </div>
  );
}
