// Help dialog: the keyboard shortcuts available now.
import { settings } from "../api/settings.ts";
import { Dialog } from "../parts/dialog.tsx";
import { shortcuts } from "./shortcuts.ts";
import { useSignal } from "./signal.ts";

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const all = useSignal(shortcuts);
  const { version } = useSignal(settings);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {all.map(({ keys, description }) => (
          <div key={`${keys} ${description}`}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        Bellwire {version} · <a href="/docs">API reference</a>
      </p>
    </Dialog>
  );
}
