// biome-ignore-all lint/a11y/noRedundantRoles: CSS shows the table as blocks on phones, and browsers then drop the roles
import type { OwnPerformanceRow } from "@findersfee/contract/reports/performance";
import { useMemo, useRef } from "react";
import { useEndWidths } from "../lists/end-widths.ts";
import { Link } from "../navigation.tsx";
import { useTexts } from "../texts.tsx";
import { MetricChange } from "./change.tsx";
import { useSource } from "./context.ts";
import { formatMetric } from "./formats.ts";
import type { Metric } from "./search.ts";

export interface PerformanceTableProps {
  label: string;
  /** The header of the first column. */
  header: string;
  rows: readonly OwnPerformanceRow[];
  nameOf: (row: OwnPerformanceRow) => string;
  linkTo: (row: OwnPerformanceRow) => string | null;
  hintOf: (row: OwnPerformanceRow) => string | undefined;
  sorted: { metric: Metric; is_ascending: boolean };
  onSort: (metric: Metric) => void;
  /** The rows with a line in the chart. */
  lines: readonly string[];
  onToggle: (key: string) => void;
  /** Why no more lines can be chosen; null: they can. */
  lock: string | null;
  busy: boolean;
}

/** The metrics of a card beside the one that it is sorted by. */
const NARROW: readonly Metric[] = ["clicks", "conversions", "commission_amount"];
/** Of columns: a narrower table has cards. */
const LEAST_PIXELS = 672;
/** Columns that narrow tables leave out. */
const ROOMY: readonly Metric[] = ["signups", "earnings_per_click", "lost_amount", "refunds"];

const ROW =
  "relative border-b border-line hover:bg-hover cards:flex cards:flex-wrap cards:items-baseline cards:gap-x-3 cards:gap-y-0.5 cards:py-2.5 cards:pl-9 cards:before:order-3 cards:before:basis-full cards:before:content-['']";

/** The values of a dimension with all metrics, and their changes; cards have two lines. */
export function PerformanceTable(props: PerformanceTableProps) {
  const { label, header, rows, sorted, onSort, busy } = props;
  const { texts, metrics } = useSource();
  const table = useRef<HTMLTableElement>(null);
  const places = useMemo(
    () => ({ ends: metrics.map((_, index) => index + 1), flexible: [], fixed: [0] }),
    [metrics],
  );
  useEndWidths(table, { places, rows, least: LEAST_PIXELS });
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
          <th role="columnheader" scope="col" className="w-1/4 py-2 pr-2 pl-9 font-medium">
            {header}
          </th>
          {metrics.map((metric) => (
            <th
              key={metric}
              role="columnheader"
              scope="col"
              {...(metric === sorted.metric
                ? { "aria-sort": sorted.is_ascending ? "ascending" : "descending" }
                : {})}
              className={`px-2 py-1 text-right font-medium last:pr-3 ${ROOMY.includes(metric) ? "@max-5xl:hidden" : ""}`}
            >
              <button
                type="button"
                title={texts.metric_hints[metric]}
                onClick={() => onSort(metric)}
                className={`min-h-6 text-right font-medium hover:text-ink ${metric === sorted.metric ? "text-ink" : ""}`}
              >
                {texts.metrics[metric]}
                {metric === sorted.metric && <span aria-hidden> {sorted.is_ascending ? "↑" : "↓"}</span>}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="cards:block">
        {rows.map((row) => (
          <Row key={row.key} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row,
  nameOf,
  linkTo,
  hintOf,
  sorted,
  lines,
  onToggle,
  lock,
}: PerformanceTableProps & { row: OwnPerformanceRow }) {
  const { metrics } = useSource();
  const name = nameOf(row);
  const address = linkTo(row);
  const hint = hintOf(row);
  const on_phone = NARROW.filter((metric) => metric !== sorted.metric);
  return (
    <tr role="row" data-row={row.key} className={ROW}>
      <th
        role="rowheader"
        scope="row"
        className="relative py-1.5 pr-2 pl-9 text-left align-top font-medium cards:static cards:order-1 cards:min-w-0 cards:flex-1 cards:p-0"
      >
        <LineBox
          name={name}
          checked={lines.includes(row.key)}
          onToggle={() => onToggle(row.key)}
          lock={lines.includes(row.key) ? null : lock}
        />
        {address === null ? (
          <bdi
            className={`block truncate ${row.kind === "value" ? "" : "font-normal text-muted"}`}
            title={hint ?? name}
          >
            {name}
          </bdi>
        ) : (
          <Link to={address} className="block truncate hover:underline" title={name}>
            <bdi>{name}</bdi>
          </Link>
        )}
      </th>
      {metrics.map((metric) => (
        <Cell
          key={metric}
          metric={metric}
          row={row}
          place={metric === sorted.metric ? "main" : on_phone.includes(metric) ? "below" : "none"}
        />
      ))}
    </tr>
  );
}

const PLACES = {
  main: "cards:order-2 cards:ml-auto cards:shrink-0 cards:font-medium cards:text-ink",
  below: "cards:order-4 cards:text-meta",
  none: "cards:hidden",
};

function Cell({
  metric,
  row,
  place,
}: {
  metric: Metric;
  row: OwnPerformanceRow;
  place: keyof typeof PLACES;
}) {
  const { texts, currency } = useSource();
  const { locale } = useTexts();
  const { present, previous } = row;
  return (
    <td
      role="cell"
      className={`px-2 py-1.5 text-right align-top tabular-nums last:pr-3 cards:p-0 columns:overflow-hidden ${place === "main" ? "font-medium text-ink" : ""} ${PLACES[place]} ${ROOMY.includes(metric) ? "columns:@max-5xl:hidden" : ""}`}
    >
      <span
        className="columns:block columns:whitespace-nowrap"
        title={formatMetric(metric, present[metric], { locale, currency })}
      >
        {place === "below" && (
          <span aria-hidden className="text-muted columns:hidden">
            {texts.metrics[metric]}{" "}
          </span>
        )}
        {formatMetric(metric, present[metric], { locale, currency })}
      </span>
      <span
        className={`text-meta font-normal text-muted columns:block columns:min-h-4 ${place === "main" ? "cards:ml-1.5" : "cards:hidden"}`}
      >
        <MetricChange
          metric={metric}
          now={present[metric]}
          before={previous?.[metric]}
          is_small={place !== "main"}
        />
      </span>
    </td>
  );
}

function LineBox({
  name,
  checked,
  onToggle,
  lock,
}: {
  name: string;
  checked: boolean;
  onToggle: () => void;
  lock: string | null;
}) {
  const { texts } = useSource();
  const label = texts.show_line(name);
  return (
    <label
      className="absolute top-1 left-1 grid size-6 place-items-center cards:top-0 cards:-left-1.5 cards:size-11"
      title={lock ?? label}
    >
      <input
        type="checkbox"
        aria-label={lock === null ? label : `${label}: ${lock}`}
        disabled={lock !== null}
        checked={checked}
        onChange={onToggle}
        className="size-[15px]"
      />
    </label>
  );
}
