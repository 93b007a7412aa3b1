/** Around the lines of a chart, in pixels; the axis is on the left. */
export const MARGIN = { top: 8, right: 12, bottom: 24 };
