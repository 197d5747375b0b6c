// JSON with syntax highlighting, truncated until the user expands it.
import { useMemo, useState } from "preact/hooks";
import { whole } from "../../format/number.ts";
import { CopyButton } from "../copy-button.tsx";

const maxLines = 300;

export function JsonView({ value }: { readonly value: unknown }) {
  const [all, setAll] = useState(false);
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "", [value]);
  const lines = text.split("\n");
  const shown = all ? lines : lines.slice(0, maxLines);
  return (
    <div class="json">
      <CopyButton text={text} label="Copy JSON" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section class="code" tabIndex={0} aria-label="JSON response">
        <pre>
          {shown.map((line, at) => (
            <JsonLine key={at} line={line} />
          ))}
        </pre>
      </section>
      {shown.length < lines.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {whole(lines.length)} lines
        </button>
      )}
    </div>
  );
}

function JsonLine({ line }: { readonly line: string }) {
  const [, indent = "", name = "", rest = line] = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(line) ?? [];
  return (
    <>
      {indent}
      {name !== "" && <span class="json-name">{name}</span>}
      {rest.startsWith('"') ? <span class="json-text">{rest}</span> : rest}
      {"\n"}
    </>
  );
}
