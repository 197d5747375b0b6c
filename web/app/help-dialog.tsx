// The keys that work now.
import { settings } from "../api/settings.ts";
import { Dialog } from "../parts/dialog.tsx";
import { shortcuts } from "./shortcuts.ts";
import { useCell } from "./signal.ts";

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const all = useCell(shortcuts);
  const { version, zone } = useCell(settings);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {all.map(({ keys, does }) => (
          <div key={`${keys} ${does}`}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        Bellwire {version} · time zone {zone.replace("_", " ")} · <a href="/docs">API reference</a>
      </p>
    </Dialog>
  );
}
