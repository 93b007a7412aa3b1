import type { OwnPerformance, OwnPerformanceRow } from "@findersfee/contract/reports/performance";
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { useState } from "react";
import { Button, ButtonLink } from "../components/button.tsx";
import { controlClass } from "../components/controls.tsx";
import { Empty } from "../components/empty.tsx";
import { formatCount } from "../formats/counts.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { PageTabs } from "../shell/page.tsx";
import { useTexts } from "../texts.tsx";
import { type ReportState, useSource } from "./context.ts";
import { nameOfRow } from "./formats.ts";
import { MAX_LINES, type Metric, PAGE_ROWS, writeLines } from "./search.ts";
import { PerformanceTable } from "./table.tsx";

interface TableSectionProps {
  performance: OwnPerformance;
  state: ReportState;
  offset: number;
  busy: boolean;
}

/** The values of a dimension, with search, order and pages. */
export function TableSection({ performance, state, offset, busy }: TableSectionProps) {
  const { texts, dimensions, search, hrefWith, change } = useSource();
  const { dimension, table, lines } = state;
  const { rows } = performance;
  const sortBy = (metric: Metric) =>
    change({
      sort: metric,
      order: metric === table.sort && table.direction === "desc" ? "asc" : undefined,
      skip: undefined,
    });
  return (
    <section data-list aria-label={texts.by} className="grid grid-cols-[minmax(0,1fr)]">
      <PageTabs
        label={texts.by}
        tabs={dimensions.map((one) => ({
          to: hrefWith({
            by: one === dimensions[0] ? undefined : one,
            text: undefined,
            lines: undefined,
            skip: undefined,
          }),
          label: texts.dimensions[one],
          current: one === dimension,
        }))}
      />
      <div className="flex flex-wrap items-center gap-x-2 columns:justify-between">
        {(rows.length > 0 || search.text !== undefined) && (
          <FilterBar
            key={dimension}
            label={texts.search[dimension]}
            text={search.text ?? ""}
            onText={(text) => change({ text: text.trim() === "" ? undefined : text, skip: undefined })}
          >
            <SortField sort={table.sort} is_ascending={table.direction === "asc"} onSort={sortBy} />
          </FilterBar>
        )}
        <Actions state={state} />
      </div>
      <Reason performance={performance} state={state} />
      {rows.length === 0 ? (
        <NoRows />
      ) : (
        <>
          <Rows {...{ performance, state, busy }} onSort={sortBy} />
          <Pages all={performance.rows_total} offset={offset} />
        </>
      )}
      {lines.length > 0 && <ChosenLines count={lines.length} />}
    </section>
  );
}

function Rows({
  performance: { rows },
  state: { dimension, table, lines },
  busy,
  onSort,
}: Pick<TableSectionProps, "performance" | "state" | "busy"> & { onSort: (metric: Metric) => void }) {
  const { texts, change, linkTo } = useSource();
  const { locale } = useTexts();
  const toggle = (key: string) =>
    change({ lines: writeLines(lines.includes(key) ? lines.filter((one) => one !== key) : [...lines, key]) });
  return (
    <PerformanceTable
      label={texts.dimensions[dimension]}
      header={texts.names[dimension]}
      rows={rows}
      nameOf={(row: OwnPerformanceRow) => nameOfRow(row, dimension, { texts, locale })}
      linkTo={(row) => (row.kind === "value" ? (linkTo?.(row, dimension) ?? null) : null)}
      hintOf={({ kind }) => (kind === "other" ? texts.other_hint : undefined)}
      sorted={{ metric: table.sort, is_ascending: table.direction === "asc" }}
      onSort={onSort}
      lines={lines}
      onToggle={toggle}
      lock={lines.length >= MAX_LINES ? texts.too_many_lines(formatCount(MAX_LINES, locale)) : null}
      busy={busy}
    />
  );
}

/** Where rows are cards, without headers. */
function SortField({
  sort,
  is_ascending,
  onSort,
}: {
  sort: Metric;
  is_ascending: boolean;
  onSort: (metric: Metric) => void;
}) {
  const { texts, metrics } = useSource();
  const direction = is_ascending ? texts.least_first : texts.most_first;
  return (
    <span className="flex w-full items-center gap-2 columns:hidden">
      <label className="flex min-w-0 flex-1 items-center gap-2 text-table text-muted">
        <span className="shrink-0">{texts.sort_by}</span>
        <select
          value={sort}
          onChange={({ target }) => {
            const metric = metrics.find((one) => one === target.value);
            if (metric !== undefined) onSort(metric);
          }}
          className={controlClass}
        >
          {metrics.map((metric) => (
            <option key={metric} value={metric}>
              {texts.metrics[metric]}
            </option>
          ))}
        </select>
      </label>
      <Button shape="square" aria-label={direction} title={direction} onClick={() => onSort(sort)}>
        <span aria-hidden>{is_ascending ? "↑" : "↓"}</span>
      </Button>
    </span>
  );
}

/** The table as a file. */
function Actions({ state: { table } }: { state: ReportState }) {
  const { texts, saveFile, controls, failure } = useSource();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    if (saveFile === undefined) return;
    setBusy(true);
    setError(null);
    try {
      await saveFile(table);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2 py-3">
      {controls}
      {saveFile !== undefined && (
        <Button busy={busy} onClick={() => void save()}>
          <Download aria-hidden size={14} />
          {texts.export}
        </Button>
      )}
      {error !== null && failure(error, () => void save())}
    </div>
  );
}

/** Why no row has a value. */
function Reason({
  performance: { rows },
  state: { dimension },
}: Pick<TableSectionProps, "performance" | "state">) {
  const { texts, search } = useSource();
  const reason = texts.no_values[dimension];
  const has_none = rows.every(({ kind }) => kind === "none");
  if (reason === undefined || search.text !== undefined || search.skip !== undefined || !has_none)
    return null;
  return (
    <p className="mb-3 rounded-card border border-line bg-sunk px-3 py-2 text-table text-muted">{reason}</p>
  );
}

function NoRows() {
  const { texts, search, change, first_step } = useSource();
  if (search.text !== undefined) {
    return (
      <Empty
        title={texts.nothing_matches(search.text)}
        action={
          <Button onClick={() => change({ text: undefined, skip: undefined })}>{texts.clear_search}</Button>
        }
      />
    );
  }
  if (search.period === "all_time") {
    return (
      <Empty title={texts.nothing_ever} action={first_step}>
        {texts.nothing_ever_hint}
      </Empty>
    );
  }
  return (
    <Empty
      title={texts.nothing}
      action={
        <Button onClick={() => change({ period: "all_time", skip: undefined })}>
          {texts.periods.all_time}
        </Button>
      }
    >
      {texts.nothing_hint}
    </Empty>
  );
}

function Pages({ all, offset }: { all: number; offset: number }) {
  const { texts, hrefWith } = useSource();
  const { locale } = useTexts();
  const count = (value: number) => formatCount(value, locale);
  const before = Math.max(0, offset - PAGE_ROWS);
  return (
    <nav aria-label={texts.by} className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-2">
      <p className="text-table text-muted tabular-nums">
        {texts.place(count(offset + 1), count(Math.min(offset + PAGE_ROWS, all)), count(all))}
      </p>
      {all > PAGE_ROWS && (
        <span className="flex gap-2">
          {offset > 0 && (
            <ButtonLink to={hrefWith({ skip: before === 0 ? undefined : String(before) })}>
              <ChevronLeft aria-hidden size={14} />
              {texts.before_page}
            </ButtonLink>
          )}
          {offset + PAGE_ROWS < all && (
            <ButtonLink to={hrefWith({ skip: String(offset + PAGE_ROWS) })}>
              {texts.next_page}
              <ChevronRight aria-hidden size={14} />
            </ButtonLink>
          )}
        </span>
      )}
    </nav>
  );
}

/** The lines of the chart, below the rows; the button returns to everything. */
function ChosenLines({ count }: { count: number }) {
  const { texts, change } = useSource();
  const { locale } = useTexts();
  return (
    <p className="sticky bottom-0 z-10 flex @max-2xl:static items-center gap-3 border-t border-line bg-page py-2 text-table">
      <span role="status">{texts.chosen_lines(formatCount(count, locale))}</span>
      <Button onClick={() => change({ lines: undefined })}>{texts.clear_lines}</Button>
    </p>
  );
}
