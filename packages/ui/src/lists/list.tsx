import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { Progress, SkeletonRows } from "../components/skeleton.tsx";
import { useShortcuts } from "../shell/shortcuts.tsx";
import { useTexts } from "../texts.tsx";
import type { PagerProps } from "./pager.tsx";
import type { Selection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { Table, type TableProps } from "./table.tsx";

export interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  /** Undefined until the first page has arrived. */
  rows: readonly Row[] | undefined;
  /** In place of the rows if there are none. */
  empty: ReactNode;
  /** Above the rows, which stay: the reason why they could not be loaded again. */
  failure?: ReactNode;
  /** The pager of a list that is longer than a page. */
  pager?: PagerProps;
  /** Buttons for the selected rows. */
  actions?: ReactNode;
  /** Beside the number of selected rows: a button that selects more. */
  offer?: ReactNode;
}

/** A list with its states, its keys `j`, `k`, `x` and `Shift+x`, and its pages. */
export function List<Row>({ rows, empty, failure, pager, actions, offer, ...table }: ListProps<Row>) {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const end_id = useId();
  const { selection, busy = false } = table;
  const [selecting, setSelecting] = useState(false);
  useRowKeys(frame, selection);

  return (
    <div ref={frame} data-list>
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
            <SelectButton
              selecting={selecting}
              onToggle={() => {
                setSelecting(!selecting);
                selection.set([]);
              }}
            />
          )}
          <Table {...table} selecting={selecting} rows={rows} />
        </>
      )}
      <SelectionBar id={end_id} {...{ selection, actions, offer, pager }} />
    </div>
  );
}

/** Moves the focus through the rows by `j` and `k`, and selects the focused one by `x`, or up to it by `Shift+x`. */
function useRowKeys(frame: RefObject<HTMLDivElement | null>, selection: Selection | undefined): void {
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
}

/** Shows the boxes of the rows where there is no room for them. */
function SelectButton({ selecting, onToggle }: { selecting: boolean; onToggle: () => void }) {
  const texts = useTexts();
  return (
    <div className="flex justify-end columns:hidden">
      <Button look="quiet" aria-pressed={selecting} onClick={onToggle}>
        {selecting ? texts.end_selecting : texts.select}
      </Button>
    </div>
  );
}
