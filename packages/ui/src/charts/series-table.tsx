import { useTexts } from "../texts.tsx";
import type { SeriesPoint } from "./series-point.ts";

export interface SeriesTableProps {
  title: string;
  points: readonly SeriesPoint[];
  formatValue: (value: number) => string;
}

/** The numbers of a chart. */
export function SeriesTable({ title, points, formatValue }: SeriesTableProps) {
  const texts = useTexts();
  const has_before = points.some(({ before }) => before !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="max-h-55 overflow-y-auto" tabIndex={0} aria-label={title}>
      <table className="w-full text-table tabular-nums">
        <thead className="sticky top-0 bg-page text-left text-meta text-muted">
          <tr>
            <th scope="col" className="py-1 font-medium">
              {title}
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              {texts.this_period}
            </th>
            {has_before && (
              <th scope="col" className="py-1 text-right font-medium">
                {texts.before}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, value, before, is_open }) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {label}
                {is_open && <span className="text-muted">, {texts.so_far}</span>}
              </th>
              <td className="py-1 text-right">{formatValue(value)}</td>
              {has_before && (
                <td className="py-1 text-right text-muted">
                  {before === undefined ? "" : formatValue(before)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
