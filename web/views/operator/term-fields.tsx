// Form fields for key terms, derived from the OpenAPI document.
import type { Failure } from "../../api/failure.ts";
import { Control, errorFor } from "../../parts/filters/control.tsx";
import type { Term, Texts } from "./terms.ts";

type Props = {
  readonly terms: readonly Term[];
  readonly texts: Texts;
  readonly failure: Failure | undefined;
  readonly onChange: (term: string, text: string) => void;
};

export function TermFields({ terms, texts, failure, onChange }: Props) {
  return (
    <div class="key-terms">
      {terms.map((term) => (
        <Control
          key={term.name}
          parameter={term}
          value={texts[term.name] ?? ""}
          error={errorFor(failure, term)}
          onChange={(text) => onChange(term.name, text)}
        />
      ))}
    </div>
  );
}
