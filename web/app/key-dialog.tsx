// Signing in is pasting a key. Whether it is accepted, the next answer says.
import { useEffect, useRef, useState } from "preact/hooks";
import { forgetKey, keyAsked, keyState, takeKey } from "../api/key.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useCell } from "./signal.ts";

export function KeyDialog() {
  const { key, refused, prefilled } = useCell(keyState);
  const input = useRef<HTMLInputElement>(null);
  const [complaint, setComplaint] = useState(
    refused ? "The key in use is not accepted: it is unknown, expired or revoked." : "",
  );
  useEffect(() => input.current?.focus(), []);
  const submit = () => {
    const text = input.current?.value.trim() ?? "";
    if (text === "") setComplaint("Paste a key first.");
    // A header carries no other characters; a key that came with a line break or a blank inside is not whole.
    else if (!/^[\x21-\x7e]+$/.test(text)) setComplaint("A key is one word, without blanks.");
    else takeKey(text);
  };
  return (
    <Dialog title="API key" onClose={() => keyAsked.set(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p>
          The page asks the same API as any program, with a key of yours. It is kept in this browser only and sent in a
          header, never in an address.
        </p>
        <label class="field" for="key">
          <span>Key</span>
          <input
            id="key"
            ref={input}
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder={key === undefined ? "Paste a key" : prefilled ? "The demo’s key is in use" : "A key is in use"}
            {...(complaint === "" ? {} : { "aria-invalid": true, "aria-describedby": "key-complaint" })}
          />
        </label>
        {complaint !== "" && (
          <p class="mistake" id="key-complaint" role="alert">
            {complaint}
          </p>
        )}
        <p class="faint">
          An operator makes one with <code>bellwire keys create --name NAME</code>.
        </p>
        <p class="dialog-actions">
          {key !== undefined && !prefilled && (
            <button type="button" onClick={forgetKey}>
              Forget the key
            </button>
          )}
          <button type="submit" class="primary">
            Use this key
          </button>
        </p>
      </form>
    </Dialog>
  );
}
