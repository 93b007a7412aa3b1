import { type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { Progress, SkeletonRows } from "../components/skeleton.tsx";
import { useShortcuts } from "../shell/shortcuts.tsx";
import { useTexts } from "../texts.tsx";
import { Pager, type PagerProps } from "./pager.tsx";
import { Table, type TableProps } from "./table.tsx";

export interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  /** Undefined until the first page has arrived. */
  rows: readonly Row[] | undefined;
  /** In place of the rows if there are none. */
  empty: ReactNode;
  /** Above the rows, which stay: the reason why they could not be loaded again. */
  failure?: ReactNode;
  /** Of lists that are longer than a page. */
  pager?: PagerProps;
  /** Buttons for the selected rows. */
  actions?: ReactNode;
}

/** A list with its states, its keys `j`, `k`, `x` and `Shift+x`, and its pages. */
export function List<Row>({ rows, empty, failure, pager, actions, ...table }: ListProps<Row>) {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const end_id = useId();
  const { selection, busy = false } = table;
  const [selecting, setSelecting] = useState(false);

  const rowElements = () => [...(frame.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const current = () => rowElements().findIndex((row) => row.contains(document.activeElement));
  const focusRow = (index: number) => {
    const all = rowElements();
    const row = all[Math.max(0, Math.min(index, all.length - 1))];
    const target = row?.querySelector<HTMLElement>("a") ?? row?.querySelector<HTMLElement>("input");
    target?.focus();
    row?.scrollIntoView({ block: "nearest" });
  };
  const toggle = (through: boolean) => {
    const key = rowElements()[current()]?.dataset.row;
    if (key !== undefined) selection?.toggle(key, through);
  };
  useShortcuts([
    { keys: "j", label: "Next row", run: () => focusRow(current() + 1) },
    { keys: "k", label: "Previous row", run: () => focusRow(current() - 1) },
    ...(selection === undefined
      ? []
      : [
          { keys: "x", label: "Select the row", run: () => toggle(false) },
          { keys: "Shift+x", label: "Select up to the row", run: () => toggle(true) },
        ]),
  ]);

  return (
    <div ref={frame}>
      {failure}
      <Progress busy={busy} />
      {rows === undefined && failure === undefined && <SkeletonRows label={texts.loading} />}
      {rows !== undefined && rows.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && (
        <>
          <a href={`#${end_id}`} className="sr-only focus:not-sr-only focus:px-3 focus:py-1">
            {texts.skip_to_footer}
          </a>
          {selection !== undefined && (
            <div className="flex justify-end wide:hidden">
              <Button
                look="quiet"
                aria-pressed={selecting}
                onClick={() => {
                  setSelecting(!selecting);
                  selection.set([]);
                }}
              >
                {selecting ? texts.end_selecting : texts.select}
              </Button>
            </div>
          )}
          <Table {...table} selecting={selecting} rows={rows} />
        </>
      )}
      <footer
        id={end_id}
        tabIndex={-1}
        className={`sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-3 bg-page px-3 py-2 max-wide:static ${selection === undefined && pager === undefined ? "" : "min-h-12"}`}
      >
        <p role="status" className="text-table text-muted">
          {selection !== undefined && selection.keys.length > 0 && texts.selected(selection.keys.length)}
        </p>
        {selection !== undefined && selection.keys.length > 0 && (
          <div className="flex flex-1 flex-wrap gap-2">{actions}</div>
        )}
        {pager !== undefined && <Pager {...pager} />}
      </footer>
    </div>
  );
}
