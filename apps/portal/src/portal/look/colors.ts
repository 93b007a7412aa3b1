import type { BrandColors, ThemeColors } from "@findersfee/contract/portal/brand-colors";

/** The tokens of `packages/ui` that follow an organization's color. States and grays never do. */
const TOKENS: Record<keyof ThemeColors, string> = {
  solid: "--color-solid",
  solid_hover: "--color-solid-hover",
  on_solid: "--color-on-solid",
  solid_edge: "--color-solid-edge",
  text: "--color-accent",
  line: "--color-accent-line",
};

const PICK = "--color-pick";

const PARTS = Object.keys(TOKENS) as (keyof ThemeColors)[];

/**
 * Sets the colors of the document; null: the service's own. The policy forbids styles in documents, but not
 * styles that scripts set. Call it before the browser paints anything in these colors.
 */
export function setColors(colors: BrandColors | null): void {
  const { style } = document.documentElement;
  for (const part of PARTS) {
    if (colors === null) style.removeProperty(TOKENS[part]);
    else style.setProperty(TOKENS[part], `light-dark(${colors.light[part]}, ${colors.dark[part]})`);
  }
  // The background of chosen things is a tint of the service's own color.
  if (colors === null) style.removeProperty(PICK);
  else style.setProperty(PICK, "var(--color-hover)");
}
