// Copies a text, and says so.
import { useState } from "preact/hooks";

type Props = { readonly text: string; readonly label?: string };

export function CopyButton({ text, label = "Copy" }: Props) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(done === true ? "Copied" : "Not allowed here");
    setTimeout(() => setSaid(""), 1500);
  };
  return (
    <button type="button" class="copy" onClick={copy}>
      <span aria-live="polite">{said === "" ? label : said}</span>
    </button>
  );
}
