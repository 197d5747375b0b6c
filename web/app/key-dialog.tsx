// Dialog to enter an API key. The next response shows whether it is valid.
import { useEffect, useRef, useState } from "preact/hooks";
import { rejectedKey } from "../api/failure.ts";
import { forgetKey, keyDialogOpen, keyState, saveKey } from "../api/key.ts";
import { commandText, settings } from "../api/settings.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useSignal } from "./signal.ts";

export function KeyDialog() {
  const { key, rejected, isDemoKey } = useSignal(keyState);
  const { key: demoKey } = useSignal(settings);
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState(rejected ? rejectedKey.detail : "");
  useEffect(() => input.current?.focus(), []);
  const submit = () => {
    const text = input.current?.value.trim() ?? "";
    if (text === "") setError("Paste an API key first.");
    // Only these characters are valid in the header.
    else if (!/^[\x21-\x7e]+$/.test(text)) setError("An API key can’t contain spaces or special characters.");
    else saveKey(text);
  };
  return (
    <Dialog title="API key" onClose={() => keyDialogOpen.set(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p>
          This page uses the same API as any other client, with your API key. The key is stored only in this browser and
          sent in a header, never in a URL.
        </p>
        <label class="field" for="key">
          <span>API key</span>
          <input
            id="key"
            ref={input}
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder={
              key === undefined || rejected ? "Paste an API key" : isDemoKey ? "Using the demo API key" : "API key set"
            }
            {...(error === "" ? {} : { "aria-invalid": true, "aria-describedby": "key-error" })}
          />
        </label>
        {error !== "" && (
          <p class="field-error" id="key-error" role="alert">
            {error}
          </p>
        )}
        <p class="faint">
          The operator of the server can create one with <code>{commandText("keys create --name NAME")}</code>.
        </p>
        <p class="dialog-actions">
          {key !== undefined && !isDemoKey && (
            <button type="button" onClick={forgetKey}>
              {demoKey === undefined ? "Forget key" : "Use the demo key"}
            </button>
          )}
          <button type="submit" class="primary">
            Use key
          </button>
        </p>
      </form>
    </Dialog>
  );
}
