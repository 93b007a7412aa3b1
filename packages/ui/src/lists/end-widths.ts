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
 * Widens the columns of amounts and counts of a table with a fixed layout, so that none is cut: the columns of texts give way. Where
 * they have no room, or the table is narrower than `least` pixels, its rows become cards: it, or the element with `data-list` around
 * it, gets `data-cards`, which the variants `cards` and `columns` of styles read. Cells hide what overflows.
 */
export function useEndWidths(
  table: RefObject<HTMLTableElement | null>,
  { places, rows, least = 0 }: { places: Places; rows: readonly unknown[]; least?: number },
): void {
  useLayoutEffect(() => {
    const { current } = table;
    if (rows.length === 0 || current === null) return;
    const fit = () => {
      const list = current.closest("[data-list]") ?? current;
      list.removeAttribute("data-cards");
      const has_room = fitEnds(current, places) && current.offsetWidth >= least;
      list.toggleAttribute("data-cards", !has_room);
    };
    fit();
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [table, places, rows, least]);
}

/** Whether there is room for all amounts and counts. */
function fitEnds(table: HTMLTableElement, { ends, flexible, fixed }: Places): boolean {
  const cells = table.tHead?.rows[0]?.cells;
  const [body] = table.tBodies;
  if (cells === undefined || body === undefined) return true;
  for (const cell of cells) cell.style.removeProperty("width");
  const widthOf = (place: number) => cells[place]?.offsetWidth ?? 0;
  const widths = new Map<number, number>();
  let wanted = Math.max(0, table.offsetWidth - (table.parentElement?.clientWidth ?? 0));
  for (const place of ends) {
    const lack = lackOf(body, place);
    if (lack > 0) widths.set(place, widthOf(place) + lack);
    wanted += lack;
  }
  for (const place of flexible) {
    if (cells[place]?.checkVisibility()) wanted += LEAST_PIXELS - widthOf(place);
  }
  for (const place of fixed) {
    const given = Math.min(wanted, widthOf(place) - LEAST_PIXELS);
    if (given > 0) widths.set(place, widthOf(place) - given);
    wanted -= Math.max(0, given);
  }
  if (wanted > 0) return false;
  for (const [place, width] of widths) {
    const cell = cells[place];
    if (cell !== undefined) cell.style.width = `${width}px`;
  }
  return true;
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
