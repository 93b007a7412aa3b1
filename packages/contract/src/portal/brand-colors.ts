import { contrastOf, fromOklch, toOklch } from "./oklch.ts";

/** The colors of a theme that follow the organization's. All are # and six hexadecimal digits, so pages can use them as they are. */
export interface ThemeColors {
  /** Of buttons: the chosen color. */
  solid: string;
  /** The same under the pointer. */
  solid_hover: string;
  /** Text on these two: black or white. */
  on_solid: string;
  /** Around buttons: the chosen color, or where it can hardly be seen on the page, the one of lines. */
  solid_edge: string;
  /** The color of links. */
  text: string;
  /** The color of charts, marks and the focus. */
  line: string;
}

export interface BrandColors {
  light: ThemeColors;
  dark: ThemeColors;
}

/** The backgrounds of each theme on which colored text and lines are: the tokens `page`, `sunk`, `raised` and `hover`. */
export const SURFACES = {
  light: ["#ffffff", "#fafaf8", "#f1f1ee"],
  dark: ["#111110", "#161614", "#1b1b19", "#262623"],
} as const;

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for lines. */
const TEXT_CONTRAST = 4.5;
const LINE_CONTRAST = 3;

/** Derives readable colors of both themes from the one that an organization chose. */
export function brandColors(chosen: string): BrandColors {
  return { light: themeColors(chosen, "light"), dark: themeColors(chosen, "dark") };
}

function themeColors(chosen: string, theme: keyof typeof SURFACES): ThemeColors {
  // The worse of the two has at most √21 = 4.58, so the better one always has enough.
  const on_solid = contrastOf(chosen, "#ffffff") >= contrastOf(chosen, "#000000") ? "#ffffff" : "#000000";
  const line = readable(chosen, theme, LINE_CONTRAST);
  return {
    solid: chosen,
    solid_hover: hoverOf(chosen, on_solid),
    on_solid,
    solid_edge: line,
    text: readable(chosen, theme, TEXT_CONTRAST),
    line,
  };
}

const SEARCH_STEPS = 20;

/** The color itself if it has the contrast on each background of the theme; else the nearest lightness at which it has. */
function readable(color: string, theme: keyof typeof SURFACES, contrast: number): string {
  const has = (candidate: string) =>
    SURFACES[theme].every((surface) => contrastOf(candidate, surface) >= contrast);
  if (has(color)) return color;
  const chosen = toOklch(color);
  let found = theme === "light" ? "#000000" : "#ffffff";
  let [enough, little] = [theme === "light" ? 0 : 1, chosen.lightness];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const lightness = (enough + little) / 2;
    const candidate = fromOklch({ ...chosen, lightness });
    if (has(candidate)) [enough, found] = [lightness, candidate];
    else little = lightness;
  }
  return found;
}

const HOVER_STEP = 0.05;
/** Beyond these, a step away from the text would hardly be seen. */
const [DARKEST, LIGHTEST] = [0.12, 0.95];

/** A bit further from the text on it, where there is room; black and white have more contrast than they need. */
function hoverOf(color: string, on_solid: string): string {
  const { lightness, ...rest } = toOklch(color);
  const away = on_solid === "#ffffff" ? -HOVER_STEP : HOVER_STEP;
  const has_room = lightness + away >= DARKEST && lightness + away <= LIGHTEST;
  return fromOklch({ ...rest, lightness: lightness + (has_room ? away : -away) });
}
