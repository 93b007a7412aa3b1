/** Around the lines of a chart, in pixels; the axis is on the left. */
export const MARGIN = { top: 8, right: 12, bottom: 24 };

const DIGIT_PIXELS = 7.5;
/** Of codes of currencies, such as MX$. */
const CAPITAL_PIXELS = 10;

/** The width of an axis with these labels, in pixels. */
export function axisWidth(labels: readonly string[]): number {
  const widthOf = (label: string) =>
    DIGIT_PIXELS * label.length + (CAPITAL_PIXELS - DIGIT_PIXELS) * capitalsOf(label);
  return 12 + Math.max(...labels.map(widthOf));
}

const capitalsOf = (label: string) => label.replaceAll(/[^A-Z]/g, "").length;
