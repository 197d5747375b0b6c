// Sanitizer for news bodies: parsed outside the page and rebuilt from an allowlist, never set as HTML. Scripts, styles,
// forms, and frames are dropped, and images on other hosts aren't loaded.
import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";
import type { Phrase } from "../../format/marks.ts";
import { ExternalLink } from "../table/column.tsx";
import { Highlighted } from "./highlight.tsx";
import { unstyled } from "./unstyled.ts";

/** Allowed elements and what they are rendered as; headings rank below the page's own. */
const allowedTags: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["p", "br", "hr", "strong", "b", "em", "i", "u", "s", "sub", "sup", "small", "ul", "ol", "li", "blockquote"].map(
      (name) => [name, name],
    ),
  ),
  ...Object.fromEntries(
    ["pre", "code", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "figcaption", "div"].map((name) => [
      name,
      name,
    ]),
  ),
  h1: "h3",
  h2: "h3",
  h3: "h3",
  h4: "h4",
  h5: "h4",
  h6: "h4",
  section: "div",
  article: "div",
  header: "div",
  footer: "div",
  center: "div",
};

/** Elements that are dropped with their content. */
const dropped = new Set(
  [
    ["script", "style", "template", "noscript", "svg", "math", "iframe", "frame", "frameset", "object", "embed"],
    ["applet", "link", "meta", "base", "title", "head", "form", "input", "button", "select", "option", "textarea"],
    ["audio", "video", "source", "track", "canvas", "map", "area", "dialog", "marquee", "portal", "noembed", "xmp"],
  ].flat(),
);

const spans = ["colspan", "rowspan"] as const;

type RenderOptions = { readonly phrases: readonly Phrase[] };

export function SafeBody({ html, phrases = [] }: { readonly html: string; readonly phrases?: readonly Phrase[] }) {
  const parsed = useMemo(() => new DOMParser().parseFromString(unstyled(html), "text/html").body, [html]);
  return <div class="article-body">{childrenOf(parsed, { phrases })}</div>;
}

const childrenOf = (node: Node, options: RenderOptions): ComponentChildren[] =>
  [...node.childNodes].map((child) => render(child, options));

function render(node: Node, options: RenderOptions): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return <Highlighted text={node.nodeValue ?? ""} phrases={options.phrases} />;
  if (!(node.nodeType === Node.ELEMENT_NODE)) return null;
  const element = node as Element;
  // Elements in other namespaces, such as SVG, have different semantics.
  if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") return null;
  const name = element.localName;
  if (dropped.has(name)) return null;
  if (name === "img")
    return <SafeImage src={element.getAttribute("src") ?? ""} alt={element.getAttribute("alt") ?? ""} />;
  const children = childrenOf(element, options);
  if (name === "a") return <Link href={element.getAttribute("href") ?? ""}>{children}</Link>;
  const tag = allowedTags[name];
  if (tag === undefined) return children;
  return h(tag, spansOf(element), ...(tag === "br" || tag === "hr" ? [] : children));
}

function spansOf(element: Element): Record<string, number> {
  const attributes = spans.map((name) => [name, Number(element.getAttribute(name))] as const);
  return Object.fromEntries(attributes.filter(([, span]) => Number.isInteger(span) && span > 1 && span <= 100));
}

/** Undefined unless it is an http or https URL. Ignores whitespace, as browsers do. */
export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
}

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const url = httpUrl(href);
  return url === undefined ? children : <ExternalLink href={url.href}>{children}</ExternalLink>;
}

const inlineImage = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/;

/** Images on other hosts become links, since loading them would reveal what the user reads. */
export function SafeImage({ src, alt }: { readonly src: string; readonly alt: string }) {
  const url = httpUrl(src);
  if (inlineImage.test(src) || url?.origin === window.location.origin)
    return <img class="article-inline-image" src={src} alt={alt} />;
  if (url === undefined) return null;
  return (
    <ExternalLink href={url.href}>
      Image{alt === "" ? "" : `: ${alt}`} <span class="faint">({url.host})</span>
    </ExternalLink>
  );
}
