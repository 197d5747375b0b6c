// Section of a view: title, summary, and a link to its API request.
import type { ComponentChildren } from "preact";
import { hrefWith, useLocation } from "../app/location.ts";
import type { DataSource } from "./data-source.ts";
import { Notice } from "./notice.tsx";
import "./section.css";

type Props = {
  readonly title: string;
  readonly source: DataSource;
  /** Link to a view with all records. */
  readonly href?: string;
  /** Next to the title. */
  readonly about?: ComponentChildren;

  readonly actions?: ComponentChildren;
  readonly name: string;
  readonly children?: ComponentChildren;
};

export function Section({ title, source, href, about, actions, name, children }: Props) {
  const { result } = source;
  useLocation();
  return (
    <section class={`section ${name}`} aria-labelledby={`section-${name}`} aria-busy={result.loading}>
      <header>
        <h2 id={`section-${name}`}>{href === undefined ? title : <a href={href}>{title}</a>}</h2>
        <div class="section-about">{result.response === undefined && result.loading ? "Loading…" : about}</div>
        {actions}
        <a
          class="button section-call"
          href={hrefWith({ panel: "api", call: source.title, record: undefined })}
          title={`Show API request: ${title}`}
          aria-label={`Show API request: ${title}`}
        >
          {"{ }"}
        </a>
      </header>
      {result.failure !== undefined && <Notice failure={result.failure} refetch={result.refetch} />}
      {children}
    </section>
  );
}
