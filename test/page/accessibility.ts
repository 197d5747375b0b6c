// Accessibility checks with axe-core. Contrast, the slowest rule, is checked once per combination of text color, font, and
// background.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** All rules. The script is injected past the page's content security policy. */
export const accessibilityFaults = (page: Page): Promise<string[]> => faults(page, {});

/** Only the rule that depends on colors, for the second color scheme of a view. */
export const contrastFaults = (page: Page): Promise<string[]> => faults(page, { runOnly: ["color-contrast"] });

async function faults(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  await page.evaluate(markDistinctText, mark);
  return page.evaluate(runAxe, { options, mark });
}

/** Attribute of elements whose contrast is checked. */
const mark = "data-distinct-text";

/** In the page: marks the first element of each combination of text color, font, and background. */
function markDistinctText(mark: string): void {
  const seen = new Set<string>();
  const hasText = (element: Element): boolean =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim() !== "");
  const visit = (element: Element, around: string): void => {
    const style = getComputedStyle(element);
    if (style.display === "none") return;
    const { backgroundColor, backgroundImage, opacity, position, filter, mixBlendMode } = style;
    const layer = [backgroundColor, backgroundImage, opacity, position, filter, mixBlendMode].join(" ");
    const behind = layer === "rgba(0, 0, 0, 0) none 1 static none normal" ? around : `${around}/${layer}`;
    const { color, fontSize, fontWeight, textShadow, visibility } = style;
    const look = [behind, color, fontSize, fontWeight, textShadow, visibility, element.matches(":disabled")].join("|");
    element.toggleAttribute(mark, hasText(element) && !seen.has(look));
    if (element.hasAttribute(mark)) seen.add(look);
    for (const child of element.children) visit(child, behind);
  };
  visit(document.body, "");
}

/** In the page: all violations as text. While a modal dialog is open, nothing else can be reached, or has to be checked. */
async function runAxe({ options, mark }: { options: object; mark: string }): Promise<string[]> {
  type Found = { violations: { id: string; help: string; nodes: { html: string }[] }[] };
  type Axe = { configure(options: object): void; run(context: object, options: object): Promise<Found> };
  const { axe } = globalThis as unknown as { axe: Axe };
  axe.configure({ rules: [{ id: "color-contrast", selector: `[${mark}]` }] });
  // Details of passed rules would take half of the time.
  const context = document.querySelector("dialog:modal") ?? document;
  const { violations } = await axe.run(context, { ...options, resultTypes: ["violations"] });
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
}
