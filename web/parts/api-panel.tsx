// "As an API call": the requests behind a view, as URL, curl, TypeScript and Python, and the JSON they were answered with.
import { useState } from "preact/hooks";
import type { ApiRequest } from "../api/request.ts";
import { type Language, languages, snippet } from "../api/snippets.ts";
import { changeQuery, usePlace } from "../app/location.ts";
import { CopyButton } from "./copy-button.tsx";
import { JsonView } from "./record/json-view.tsx";

/** One request of a view; `body` is its answer, once there is one. */
export type Call = { readonly title: string; readonly request: ApiRequest; readonly body?: unknown };

/** Which of several requests is shown stands in the address, `call=TITLE`, so that a part of a view can lead to its own. */
export function ApiPanel({ calls }: { readonly calls: readonly Call[] }) {
  const { query } = usePlace();
  const [language, setLanguage] = useState<Language>("URL");
  const call = calls.find(({ title }) => title === query.get("call")) ?? calls[0];
  if (call === undefined) return <p class="faint">This view asks the API for nothing.</p>;
  const code = snippet(language, call.request, window.location.origin);
  const choose = (title: string) => changeQuery({ call: title }, { replace: true });
  return (
    <div class="api-panel">
      {calls.length > 1 && (
        <label class="field">
          <span>Request</span>
          <select value={call.title} onChange={(event) => choose(event.currentTarget.value)}>
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section class="code" tabIndex={0} aria-label={`The request as ${language}`}>
          <pre>{code}</pre>
        </section>
      </div>
      <p class="faint">
        A key goes where <code>YOUR_KEY</code> stands. All parameters: <a href="/docs">reference</a>.
      </p>
      {call.body !== undefined && (
        <>
          <h3>Answer</h3>
          <JsonView value={call.body} />
        </>
      )}
    </div>
  );
}
