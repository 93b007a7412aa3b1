import { type RefObject, useLayoutEffect } from "react";

/** What amounts leave to a column of texts. */
const LEAST_PIXELS = 88;

/** The places of columns among the cells of a table's rows. */
export interface Places {
  /** Of amounts and counts. */
  ends: readonly number[];
  /** Of texts that have what the others leave. */
  flexible: readonly number[];
  /** Of texts with a width of their own. */
  fixed: readonly number[];
}

/**
 * Widens the columns of amounts and counts of a table with a fixed layout, so that none is cut: the columns of texts give way. Cells
 * hide what overflows.
 */
export function useEndWidths(
  table: RefObject<HTMLTableElement | null>,
  places: Places,
  rows: readonly unknown[],
): void {
  useLayoutEffect(() => {
    const { current } = table;
    if (rows.length === 0 || current === null) return;
    const fit = () => fitEnds(current, places);
    fit();
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [table, places, rows]);
}

function fitEnds({ tHead, tBodies: [body] }: HTMLTableElement, { ends, flexible, fixed }: Places): void {
  const cells = tHead?.rows[0]?.cells;
  if (cells === undefined || body === undefined) return;
  for (const cell of cells) cell.style.removeProperty("width");
  const widthOf = (place: number) => cells[place]?.offsetWidth ?? 0;
  const spareOf = (place: number) => Math.max(0, widthOf(place) - LEAST_PIXELS);
  const widths = new Map<number, number>();
  let wanted = 0;
  for (const place of ends) {
    const lack = lackOf(body, place);
    if (lack > 0) widths.set(place, widthOf(place) + lack);
    wanted += lack;
  }
  wanted -= flexible.reduce((sum, place) => sum + spareOf(place), 0);
  for (const place of fixed) {
    const given = Math.min(wanted, spareOf(place));
    if (given > 0) widths.set(place, widthOf(place) - given);
    wanted -= Math.max(0, given);
  }
  // There is no room: a wider table would leave the window.
  if (wanted > 0) return;
  for (const [place, width] of widths) {
    const cell = cells[place];
    if (cell !== undefined) cell.style.width = `${width}px`;
  }
}

/** The pixels by which the longest text of a column is cut. */
function lackOf(body: HTMLTableSectionElement, place: number): number {
  const lacks = [...body.rows].map(({ cells }) => {
    const cell = cells[place];
    // What overflows a block in the cell may fill the cell's padding first.
    return cell === undefined ? 0 : Math.max(overflowOf(cell), ...[...cell.children].map(overflowOf));
  });
  return Math.max(0, ...lacks);
}

/** Texts for screen readers alone are in a box of 1 pixel. */
function overflowOf({ scrollWidth, clientWidth }: Element): number {
  return clientWidth > 1 ? scrollWidth - clientWidth : 0;
}
