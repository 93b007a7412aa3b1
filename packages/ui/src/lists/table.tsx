import { type ReactNode, useMemo, useRef } from "react";
import { Link } from "../navigation.tsx";
import { useTexts } from "../texts.tsx";
import { type Places, useEndWidths } from "./end-widths.ts";
import type { Selection } from "./selection.ts";

/** The place of a column's value in the two lines of a card: above or below, at the start or the end. */
export type NarrowPlace = "above" | "above-end" | "below" | "below-end";

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts. */
  align?: "end";
  /** Where rows are cards: on phones, and where amounts have no room. Columns without a place are hidden there. */
  narrow?: NarrowPlace;
  /** Classes of its width. */
  width?: string;
  /** Hidden below 1100 pixels of width. */
  roomy?: boolean;
  /** Shown on cards only: the person chose other columns, which cards do not have. */
  phone_only?: boolean;
  /** Shown only if the person chooses it. */
  extra?: boolean;
  /** Stronger text: the name, and the amount. */
  strong?: boolean;
  /** The list can be sorted by it: its header is a button. */
  onSort?: () => void;
  sorted?: "ascending" | "descending";
}

export interface TableProps<Row> {
  /** Read out as the table's name. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Said for its checkbox. */
  nameOf: (row: Row) => string;
  /** Each row is a link to it, in the first cell. */
  linkTo?: (row: Row) => string;
  /** The key of the row that is open beside the table. */
  open_key?: string | null;
  selection?: Selection;
  /** On cards: whether they show their checkboxes. */
  selecting?: boolean;
  /** Rows that cannot be selected, with the reason. */
  lockOf?: (row: Row) => string | null;
  /** Rows are loaded again. */
  busy?: boolean;
}

/** Amounts and states keep their width, up to two thirds of the row; the texts before them are cut instead. */
const AT_END = "cards:ml-auto cards:max-w-[65%] cards:shrink-0";
const AT_START = "cards:min-w-0 cards:flex-1";

const PLACES: Record<NarrowPlace, string> = {
  above: `cards:order-1 ${AT_START}`,
  "above-end": `cards:order-2 ${AT_END}`,
  below: `cards:order-4 ${AT_START}`,
  "below-end": `cards:order-5 ${AT_END}`,
};

/** Between the two lines of a card. */
const LINE_BREAK = "cards:before:order-3 cards:before:basis-full cards:before:content-['']";

/** Rows of 36 pixels; cards of two lines, 60 in all. */
const ROW = `group relative h-9 border-b border-line hover:bg-hover has-[a:focus-visible]:bg-hover data-[selected=true]:bg-pick cards:flex cards:h-auto cards:min-h-15 cards:flex-wrap cards:content-center cards:gap-y-0.5 cards:px-1 cards:py-2 ${LINE_BREAK}`;

/** A table of at most 100 rows, which the server has sorted, filtered and cut into pages. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, selection, busy } = props;
  const table = useRef<HTMLTableElement>(null);
  const before = selection === undefined ? 0 : 1;
  const places = useMemo(() => placesOf(columns, before), [columns, before]);
  useEndWidths(table, { places, rows });
  return (
    <table
      ref={table}
      aria-label={label}
      aria-busy={busy}
      className="w-full table-fixed border-collapse text-table cards:block"
    >
      <thead className="sticky top-0 z-20 bg-page cards:sr-only">
        <tr className="h-8 border-b border-line text-left text-meta text-muted">
          {selection !== undefined && (
            <th scope="col" className="w-9 pl-3">
              <SelectAll selection={selection} keys={rows.filter((row) => !props.lockOf?.(row)).map(keyOf)} />
            </th>
          )}
          {columns.map((column, index) => (
            <Header key={column.id} column={column} gap={gapAfter(columns, index)} />
          ))}
        </tr>
      </thead>
      <tbody className="cards:block">
        {rows.map((row) => (
          <TableRow key={keyOf(row)} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

/** The places of the columns, after those of checkboxes. */
function placesOf<Row>(columns: readonly Column<Row>[], before: number): Places {
  const of = (isOne: (column: Column<Row>) => boolean) =>
    columns.flatMap((column, index) => (isOne(column) ? [index + before] : []));
  return {
    ends: of(({ align }) => align === "end"),
    flexible: of(({ align, width }) => align !== "end" && width === undefined),
    fixed: of(({ align, width }) => align !== "end" && width !== undefined),
  };
}

function Header<Row>({ column, gap }: { column: Column<Row>; gap: string }) {
  const { header, align, width, onSort, sorted } = column;
  return (
    <th
      scope="col"
      {...(sorted === undefined ? {} : { "aria-sort": sorted })}
      className={`px-2 font-medium whitespace-nowrap first:pl-3 last:pr-3 ${align === "end" ? "text-right" : ""} ${gap} ${widthsOf(column)} ${width ?? ""}`}
    >
      {onSort === undefined ? (
        header
      ) : (
        <button type="button" onClick={onSort} className="min-h-6 font-medium hover:text-ink">
          {header}
          <span aria-hidden> {sorted === "ascending" ? "↑" : sorted === "descending" ? "↓" : ""}</span>
        </button>
      )}
    </th>
  );
}

function TableRow<Row>({
  row,
  columns,
  keyOf,
  nameOf,
  linkTo,
  open_key = null,
  selection,
  selecting = false,
  lockOf,
}: { row: Row } & TableProps<Row>) {
  const key = keyOf(row);
  const lock = lockOf?.(row) ?? null;
  return (
    <tr
      data-row={key}
      data-selected={selection?.has(key) || key === open_key}
      className={`${ROW} ${selecting ? "cards:pl-12" : ""}`}
    >
      {selection !== undefined && (
        <td
          className={`pl-3 cards:absolute cards:inset-y-0 cards:left-1 cards:grid cards:content-center cards:p-0 ${selecting ? "" : "cards:hidden"}`}
        >
          <SelectRow name={nameOf(row)} selection={selection} row={key} lock={lock} />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} className={`${cellClass(column)} ${gapAfter(columns, index)}`}>
          {index === 0 && linkTo !== undefined ? (
            <Link
              to={linkTo(row)}
              {...(key === open_key ? { "aria-current": "true" } : {})}
              className="block truncate after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-line"
            >
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** An amount stands at the end of its column: the text of the next column begins at a distance from it. */
function gapAfter<Row>(columns: readonly Column<Row>[], index: number): string {
  if (columns[index]?.align !== "end") return "";
  const later = columns.slice(index + 1).filter(({ phone_only = false }) => !phone_only);
  const isText = (column: Column<Row> | undefined) => column !== undefined && column.align !== "end";
  if (isText(later[0])) return "columns:pr-6";
  return isText(later.find(({ roomy = false }) => !roomy)) ? "columns:not-full:pr-6" : "";
}

/** Hides a column at the widths that have no room for it. */
function widthsOf<Row>({ roomy = false, phone_only = false }: Column<Row>): string {
  return `${roomy ? "max-full:hidden" : ""} ${phone_only ? "columns:hidden" : ""}`;
}

function cellClass<Row>(column: Column<Row>): string {
  const { align, narrow, strong } = column;
  const place = narrow === undefined ? "cards:hidden" : PLACES[narrow];
  const tone = strong ? "font-medium text-ink" : "text-muted";
  const side = align === "end" ? "text-right tabular-nums" : "";
  return `truncate px-2 first:pl-3 last:pr-3 cards:p-0 cards:px-2 cards:first:pl-2 cards:last:pr-2 ${place} ${tone} ${side} ${widthsOf(column)}`;
}

function SelectAll({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const texts = useTexts();
  const chosen = keys.filter((key) => selection.has(key)).length;
  return (
    <label className="grid size-6 place-items-center">
      <input
        type="checkbox"
        aria-label={texts.select_all}
        checked={keys.length > 0 && chosen === keys.length}
        ref={(input) => {
          if (input !== null) input.indeterminate = chosen > 0 && chosen < keys.length;
        }}
        onChange={() => selection.set(chosen === keys.length ? [] : keys)}
        className="size-[15px]"
      />
    </label>
  );
}

interface SelectRowProps {
  name: string;
  selection: Selection;
  row: string;
  lock: string | null;
}

function SelectRow({ name, selection, row, lock }: SelectRowProps) {
  const texts = useTexts();
  return (
    <label
      className="relative z-10 grid size-6 cards:size-11 place-items-center"
      {...(lock === null ? {} : { title: lock })}
    >
      <input
        type="checkbox"
        aria-label={lock === null ? texts.select_row(name) : `${texts.select_row(name)}: ${lock}`}
        disabled={lock !== null}
        checked={selection.has(row)}
        onChange={(event) => {
          const native = event.nativeEvent;
          selection.toggle(row, native instanceof MouseEvent && native.shiftKey);
        }}
        onClick={(event) => event.stopPropagation()}
        className="size-[15px]"
      />
    </label>
  );
}
