import type { ReactNode } from "react";

export interface BreakdownColumn<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Amounts. */
  align?: "end";
  /** Classes of its width. */
  width?: string;
  /** Weaker text. */
  muted?: boolean;
  /** Hidden on a phone. Such columns are beside the last one. */
  roomy?: boolean;
}

export interface BreakdownProps<Row> {
  caption?: string;
  columns: readonly BreakdownColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The columns keep their widths with any content: cells cut long texts. */
  fixed?: boolean;
  /** A last row about the rows that are not shown. */
  more?: string | null;
  /** The sum of the last column. */
  sum?: { label: string; amount: ReactNode };
}

/** A short table that explains an amount or a change. A row with a link is a link as a whole. */
export function Breakdown<Row>(props: BreakdownProps<Row>) {
  const { caption, columns, rows, keyOf, fixed = false, more = null, sum } = props;
  return (
    <table className={`w-full border-collapse text-table ${fixed ? "table-fixed" : ""}`}>
      {caption !== undefined && <caption className="pb-1 text-left font-medium">{caption}</caption>}
      <thead>
        <tr className="border-b border-line text-left text-meta text-muted">
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={`py-1.5 pr-3 font-medium last:pr-0 ${placeOf(column)} ${column.width ?? ""}`}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className={`relative break-inside-avoid border-b border-line align-top has-[a]:hover:bg-hover ${sum === undefined ? "last:border-0" : ""}`}
          >
            {columns.map((column) => (
              <td
                key={column.header}
                className={`py-2 pr-3 last:pr-0 print:py-1.5 ${placeOf(column)} ${column.muted ? "text-muted" : ""}`}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
        {more !== null && (
          <tr>
            <td colSpan={columns.length} className="py-2 text-muted">
              {more}
            </td>
          </tr>
        )}
      </tbody>
      {sum !== undefined && <Sum columns={columns} sum={sum} />}
    </table>
  );
}

function placeOf({ align, roomy }: Pick<BreakdownColumn<never>, "align" | "roomy">): string {
  return `${align === "end" ? "text-right" : ""} ${roomy ? "max-wide:hidden" : ""}`;
}

function Sum<Row>({
  columns,
  sum: { label, amount },
}: Required<Pick<BreakdownProps<Row>, "columns" | "sum">>) {
  const roomy = columns.filter((column) => column.roomy);
  return (
    <tfoot>
      <tr className="font-medium">
        <th scope="row" colSpan={columns.length - roomy.length - 1} className="py-2 text-left">
          {label}
        </th>
        {roomy.map(({ header }) => (
          <td key={header} className="max-wide:hidden" />
        ))}
        <td className="py-2 text-right">{amount}</td>
      </tr>
    </tfoot>
  );
}
