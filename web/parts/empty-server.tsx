// What to do next on a server without records, as commands for this installation.
import { commandText, settings } from "../api/settings.ts";
import { useSignal } from "../app/signal.ts";
import { CopyButton } from "./copy-button.tsx";

/** `resource` is the one that the view would show. */
export function EmptyServer({ resource }: { readonly resource: string }) {
  const { database } = useSignal(settings);
  const steps: readonly (readonly [string, string])[] = [
    ["Import a file (JSON, NDJSON, CSV, or Parquet)", `import ${resource} FILE`],
    ["Follow a news feed (RSS or Atom)", "feed https://feeds.example.com/markets.xml --every 5m"],
    ["Mirror another server with the same API", "mirror https://api.example.com --token KEY"],
    ["Create an API key for a client", "keys create --name NAME"],
  ];
  return (
    <section class="empty-server" aria-label="Getting started">
      <h2>This server has no records yet</h2>
      <p>
        Run one of these commands on the machine that the server runs on
        {database === undefined ? ", with the same settings" : ""}. New records appear here as they arrive.
      </p>
      <dl>
        {steps.map(([title, words]) => {
          const command = commandText(words);
          return (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <code>{command}</code> <CopyButton text={command} />
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="faint">
        To try it with fictional records, restart the server without <code>--no-demo</code>.
      </p>
    </section>
  );
}
