// A text in which the matches of a search are marked.
import { type Phrase, pieces } from "../../format/marks.ts";

export function Marked({ text, phrases }: { readonly text: string; readonly phrases: readonly Phrase[] }) {
  if (phrases.length === 0) return <>{text}</>;
  return <>{pieces(text, phrases).map(({ text: piece, hit }, at) => (hit ? <mark key={at}>{piece}</mark> : piece))}</>;
}
