// The body of a news item, which may hold anything: parsed apart from the page, then built anew from what is allowed.
// Nothing of it is ever set as HTML; scripts, styles, forms and frames are left out, and no image of another host is loaded.
import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";
import type { Phrase } from "../../format/marks.ts";
import { Outside } from "../table/column.tsx";
import { Marked } from "./highlight.tsx";
import { unstyled } from "./unstyled.ts";

/** Elements that are drawn, and as what; a heading of an article stands below the page's own. */
const drawn: Readonly<Record<string, string>> = {
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

/** Elements of which nothing is shown, not even their text. */
const dropped = new Set(
  [
    ["script", "style", "template", "noscript", "svg", "math", "iframe", "frame", "frameset", "object", "embed"],
    ["applet", "link", "meta", "base", "title", "head", "form", "input", "button", "select", "option", "textarea"],
    ["audio", "video", "source", "track", "canvas", "map", "area", "dialog", "marquee", "portal", "noembed", "xmp"],
  ].flat(),
);

/** Where an element may be drawn in a table alone, its place is kept; anything else inside a table is harmless. */
const spans = ["colspan", "rowspan"] as const;

type Drawing = { readonly phrases: readonly Phrase[] };

export function SafeBody({ html, phrases = [] }: { readonly html: string; readonly phrases?: readonly Phrase[] }) {
  const parsed = useMemo(() => new DOMParser().parseFromString(unstyled(html), "text/html").body, [html]);
  return <div class="article-body">{childrenOf(parsed, { phrases })}</div>;
}

const childrenOf = (node: Node, drawing: Drawing): ComponentChildren[] =>
  [...node.childNodes].map((child) => draw(child, drawing));

function draw(node: Node, drawing: Drawing): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return <Marked text={node.nodeValue ?? ""} phrases={drawing.phrases} />;
  if (!(node.nodeType === Node.ELEMENT_NODE)) return null;
  const element = node as Element;
  // Elements of other languages inside HTML keep their case and mean something else.
  if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") return null;
  const name = element.localName;
  if (dropped.has(name)) return null;
  if (name === "img")
    return <Picture src={element.getAttribute("src") ?? ""} alt={element.getAttribute("alt") ?? ""} />;
  const children = childrenOf(element, drawing);
  if (name === "a") return <Link href={element.getAttribute("href") ?? ""}>{children}</Link>;
  const tag = drawn[name];
  if (tag === undefined) return children;
  return h(tag, spansOf(element), ...(tag === "br" || tag === "hr" ? [] : children));
}

function spansOf(element: Element): Record<string, number> {
  const given = spans.map((name) => [name, Number(element.getAttribute(name))] as const);
  return Object.fromEntries(given.filter(([, span]) => Number.isInteger(span) && span > 1 && span <= 100));
}

/** The address, when it is one of the web; a browser reads blanks and line breaks out of one, and so does this. */
export function webAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
}

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const url = webAddress(href);
  return url === undefined ? children : <Outside href={url.href}>{children}</Outside>;
}

const inlinePicture = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/;

/** A picture that needs nobody else is shown; one of another host would tell it who reads what, and becomes a link. */
export function Picture({ src, alt }: { readonly src: string; readonly alt: string }) {
  const url = webAddress(src);
  if (inlinePicture.test(src) || url?.origin === window.location.origin)
    return <img class="article-picture" src={src} alt={alt} />;
  if (url === undefined) return null;
  return (
    <Outside href={url.href}>
      Image{alt === "" ? "" : `: ${alt}`} <span class="faint">({url.host})</span>
    </Outside>
  );
}
