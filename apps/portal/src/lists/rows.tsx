// biome-ignore-all lint/a11y/noRedundantRoles: CSS shows the table as blocks on phones, and browsers then drop the roles

import { useEndWidths } from "@findersfee/ui/lists/end-widths";
import { Link } from "@findersfee/ui/navigation";
import { type ReactNode, useMemo, useRef } from "react";

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Amounts. */
  align?: "end";
  /** Stronger text: the name, and the amount. */
  strong?: boolean;
  /**
   * On cards (phones, and where amounts have no room), a row begins with two lines: the values `above` and `below` at their start, and those at their end. The values of other
   * columns follow, each in a line with its header.
   */
  phone?: "above" | "above-end" | "below" | "below-end";
  /** The share of the table's width, in twelfths. The first column has what the others leave. */
  width: keyof typeof WIDTHS;
}

const WIDTHS = {
  1: "w-1/12",
  2: "w-2/12",
  2.5: "w-5/24",
  3: "w-3/12",
  3.5: "w-7/24",
  4: "w-4/12",
  5: "w-5/12",
};

const PLACES = {
  above: "cards:order-1 cards:flex-1 cards:min-w-0",
  "above-end": "cards:order-2 cards:shrink-0 cards:text-right",
  below: "cards:order-4 cards:flex-1 cards:min-w-0",
  "below-end": "cards:order-5 cards:min-w-0 cards:text-right",
  line: "cards:order-6 cards:flex cards:basis-full cards:justify-between cards:gap-4",
};

const ROW =
  "group relative border-b border-line cards:flex cards:flex-wrap cards:gap-x-4 cards:gap-y-0.5 cards:py-3 cards:before:order-3 cards:before:basis-full cards:before:content-['']";

/** The rows of a page of a list: a table; on cards, each row is a list of its values. The roles keep it a table there, too. */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  linkTo,
  isNew,
  busy = false,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Each row is a link, in its first cell. */
  linkTo?: (row: Row) => string;
  /** Rows that came while the page was open. */
  isNew?: (row: Row) => boolean;
  busy?: boolean;
}) {
  const table = useRef<HTMLTableElement>(null);
  const places = useMemo(() => {
    const at = (side: "end" | undefined) =>
      columns.flatMap(({ align }, index) => (align === side && index > 0 ? [index] : []));
    return { ends: at("end"), flexible: [0], fixed: at(undefined) };
  }, [columns]);
  useEndWidths(table, { places, rows });
  return (
    <table
      ref={table}
      role="table"
      aria-label={label}
      aria-busy={busy}
      className="w-full table-fixed border-collapse text-table cards:block"
    >
      <thead role="rowgroup" className="cards:sr-only">
        <tr role="row" className="border-b border-line text-left text-meta text-muted">
          {columns.map(({ id, header, align, width }, index) => (
            <th
              key={id}
              role="columnheader"
              scope="col"
              className={`h-9 px-3 font-medium first:pl-0 last:pr-0 ${index === 0 ? "" : WIDTHS[width]} ${align === "end" ? "text-right" : ""}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="cards:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            role="row"
            className={`${ROW} ${linkTo === undefined ? "" : "hover:bg-hover has-[a:focus-visible]:bg-hover"} ${isNew?.(row) ? "bg-pick" : ""}`}
          >
            {columns.map((column, index) => (
              <Cell key={column.id} column={column}>
                {index === 0 && linkTo !== undefined ? (
                  <Link
                    to={linkTo(row)}
                    className="after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                  >
                    {column.cell(row)}
                  </Link>
                ) : (
                  column.cell(row)
                )}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const { header, align, strong, phone = "line" } = column;
  const tone = strong ? "font-medium text-ink" : "text-muted";
  const side = align === "end" ? "overflow-hidden text-right tabular-nums" : "";
  return (
    <td
      role="cell"
      className={`px-3 py-3 align-top first:pl-0 last:pr-0 cards:p-0 ${PLACES[phone]} ${tone} ${side}`}
    >
      {phone === "line" && (
        <span aria-hidden className="shrink-0 font-normal text-muted columns:hidden">
          {header}
        </span>
      )}
      <span className={`block min-w-0 ${align === "end" ? "whitespace-nowrap" : "truncate"}`}>
        {children}
      </span>
    </td>
  );
}
