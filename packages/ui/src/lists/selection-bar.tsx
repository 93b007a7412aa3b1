import type { ReactNode } from "react";
import { useTexts } from "../texts.tsx";
import { Pager, type PagerProps } from "./pager.tsx";
import type { Selection } from "./selection.ts";

export interface SelectionBarProps {
  id?: string;
  selection: Selection | undefined;
  /** Buttons for the selected rows. */
  actions: ReactNode;
  /** A button that selects more. */
  offer?: ReactNode;
  pager?: PagerProps | undefined;
}

/** The selected rows with their actions, and the pages of the list. It stays in view, however long the list is. */
export function SelectionBar({ id, selection, actions, offer, pager }: SelectionBarProps) {
  const texts = useTexts();
  const selected = selection?.keys.length ?? 0;
  const place = selected > 0 ? "border-t border-line" : "max-wide:static";
  return (
    <footer
      id={id}
      tabIndex={-1}
      className={`sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 bg-page px-3 py-2 ${place} ${selection === undefined && pager === undefined ? "" : "min-h-12"}`}
    >
      <p role="status" className="text-table text-muted">
        {selected > 0 && texts.selected(selected)}
      </p>
      {selected > 0 && (
        <div className="flex flex-1 flex-wrap items-center gap-2">
          {actions}
          {offer}
        </div>
      )}
      {pager !== undefined && <Pager {...pager} />}
    </footer>
  );
}
