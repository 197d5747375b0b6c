// Button that copies text to the clipboard.
import { useState } from "preact/hooks";

type Props = { readonly text: string; readonly label?: string };

export function CopyButton({ text, label = "Copy" }: Props) {
  const [feedback, setFeedback] = useState("");
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setFeedback(done === true ? "Copied" : "Copying isn’t allowed here");
    setTimeout(() => setFeedback(""), 1500);
  };
  return (
    <button type="button" class="copy" onClick={copy}>
      <span aria-live="polite">{feedback === "" ? label : feedback}</span>
    </button>
  );
}
