// Text with highlighted search matches.
import { fragmentsOf, type Phrase } from "../../format/marks.ts";

export function Highlighted({ text, phrases }: { readonly text: string; readonly phrases: readonly Phrase[] }) {
  if (phrases.length === 0) return <>{text}</>;
  return (
    <>
      {fragmentsOf(text, phrases).map(({ text: fragment, isMatch }, at) =>
        isMatch ? <mark key={at}>{fragment}</mark> : fragment,
      )}
    </>
  );
}
