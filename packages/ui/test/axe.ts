import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { settle } from "./watched-page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules of axe that have a purpose of their own; `all` are those that it runs by default. */
const RULES = {
  all: `{ rules: { "color-contrast": { enabled: false } } }`,
  colors: `{ runOnly: { type: "rule", values: ["link-in-text-block"] } }`,
  scrolling: `{ runOnly: { type: "rule", values: ["scrollable-region-focusable"] } }`,
};
const CONTRAST = `{ runOnly: { type: "rule", values: ["color-contrast"] }, elementRef: true }`;

/**
 * Everything that a text's contrast depends on, of each text of the page. Contrast takes axe more time than all other rules, and
 * screens of one design have a few dozen of these looks.
 */
const LOOKS = `(() => {
  const behind_of = new Map([[null, ""]]);
  const behind = (element) => {
    const known = behind_of.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element);
    const is_transparent = style.backgroundColor === "rgba(0, 0, 0, 0)";
    const own = [
      is_transparent ? "" : style.backgroundColor,
      style.backgroundImage === "none" ? "" : style.backgroundImage,
      style.opacity === "1" ? "" : style.opacity,
      style.filter === "none" ? "" : style.filter,
      style.position === "static" || style.position === "relative" ? "" : style.position,
    ].filter((part) => part !== "");
    const all = [...own, behind(element.parentElement)].join(";");
    behind_of.set(element, all);
    return all;
  };
  const hasText = (element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
  window.texts = [...document.body.querySelectorAll("*")].filter(
    (element) => hasText(element) && element.checkVisibility({ visibilityProperty: true }),
  );
  return window.texts.map((element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return [color, fontSize, fontWeight, textShadow, behind(element)].join("|");
  });
})()`;

/** Looks of texts in which axe has found enough contrast: it cannot check a covered text. */
const legible = new Set<string>();

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Serious and critical rules of axe that the page or frame breaks, with the elements. */
export async function axeProblems(
  page: Pick<Page, "evaluate">,
  rules: keyof typeof RULES = "all",
): Promise<string[]> {
  await settle(page);
  // The inspector's evaluation is not subject to the page's policy. Reading the script takes 60 ms of processor time.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const problems = problemsOf(
    await page.evaluate<Violation[]>(
      `axe.run(document, ${RULES[rules]}).then(({ violations }) => violations)`,
    ),
  );
  if (rules === "scrolling") return problems;

  const looks = await page.evaluate<string[]>(LOOKS);
  const unproven = looks.flatMap((look, index) => (legible.has(look) ? [] : [index]));
  if (unproven.length === 0) return problems;
  const contrast = await page.evaluate<{ violations: Violation[]; passed: number[] }>(contrastOf(unproven));
  const illegible = problemsOf(contrast.violations);
  if (illegible.length === 0) for (const index of contrast.passed) legible.add(looks[index] ?? "");
  return [...problems, ...illegible];
}

/** Checks the contrast of some of the page's texts, given by their places among all. */
function contrastOf(places: readonly number[]): string {
  return `(async () => {
    const include = ${JSON.stringify(places)}.map((place) => window.texts[place]);
    const { violations, passes } = await axe.run({ include }, ${CONTRAST});
    const passed = passes.flatMap(({ nodes }) => nodes.map(({ element }) => window.texts.indexOf(element)));
    return {
      violations: violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      })),
      passed: passed.filter((place) => place !== -1),
    };
  })()`;
}

function problemsOf(violations: readonly Violation[]): string[] {
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`).join("; ")}`,
    );
}
