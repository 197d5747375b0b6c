// A section of a view: what it is, in a few words how it stands, and the way to its request.
import type { ComponentChildren } from "preact";
import { hrefWith, usePlace } from "../app/location.ts";
import { Notice } from "./notice.tsx";
import type { Part } from "./part.ts";
import "./section.css";

type Props = {
  readonly title: string;
  readonly part: Part;
  /** The address of a view with all of it. */
  readonly href?: string;
  /** Beside the title. */
  readonly about?: ComponentChildren;
  /** Buttons and links that act on the section. */
  readonly actions?: ComponentChildren;
  readonly name: string;
  readonly children?: ComponentChildren;
};

export function Section({ title, part, href, about, actions, name, children }: Props) {
  const { asked } = part;
  usePlace();
  return (
    <section class={`section ${name}`} aria-labelledby={`section-${name}`} aria-busy={asked.loading}>
      <header>
        <h2 id={`section-${name}`}>{href === undefined ? title : <a href={href}>{title}</a>}</h2>
        <div class="section-about">{asked.answer === undefined && asked.loading ? "Loading…" : about}</div>
        {actions}
        <a
          class="button section-call"
          href={hrefWith({ panel: "api", call: part.title, record: undefined })}
          title={`${title} as an API call`}
          aria-label={`${title} as an API call`}
        >
          {"{ }"}
        </a>
      </header>
      {asked.failure !== undefined && <Notice failure={asked.failure} again={asked.again} />}
      {children}
    </section>
  );
}
