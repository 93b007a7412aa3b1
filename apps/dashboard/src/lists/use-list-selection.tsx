import { type Selection, useSelection } from "@findersfee/ui/lists/selection";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { useEndedBulkChanges } from "../session/bulk-change.ts";
import { writeSearch } from "./search.ts";
import type { MatchingRow, SelectionOfferProps } from "./selection-offer.tsx";
import type { ListAddress } from "./use-list-address.ts";

export type { MatchingRow } from "./selection-offer.tsx";

/** Loaded when all rows of a page are selected. */
const SelectionOffer = lazyPart(() => import("./selection-offer.tsx"), "SelectionOffer");

export interface ListSelectionProps<Row extends MatchingRow, Name extends string>
  extends Pick<SelectionOfferProps, "count" | "load" | "canSelect"> {
  /** The rows of the page. */
  rows: readonly Row[] | undefined;
  address: ListAddress<Name>;
}

export interface ListSelection<Row extends MatchingRow> {
  selection: Selection;
  /** The chosen rows: those of the page in full, others by their states. */
  chosen: readonly (Row | MatchingRow)[];
  /** The button that selects all rows that match. */
  offer: ReactNode;
}

/** The selected rows of a list: some of the page, or all that matched its filters when the person asked for it. */
export function useListSelection<Row extends MatchingRow, Name extends string>({
  rows,
  canSelect,
  address,
  count,
  load,
}: ListSelectionProps<Row, Name>): ListSelection<Row> {
  const page = rows?.filter(canSelect) ?? [];
  const page_key = page.map(({ id }) => id).join(" ");
  const keys = useMemo(() => (page_key === "" ? [] : page_key.split(" ")), [page_key]);
  const ended = useEndedBulkChanges();
  const places = { after: undefined, before: undefined, rows: undefined };
  const selection = useSelection(keys, `${ended}${writeSearch({ ...address.search, ...places })}`);
  const [reached, setReached] = useState<readonly MatchingRow[]>([]);
  const onReach = (matching: readonly MatchingRow[]) => {
    setReached(matching);
    selection.reach(matching.map(({ id }) => id));
  };
  const is_page_selected = keys.length > 0 && keys.every(selection.has);
  return {
    selection,
    chosen: (selection.is_beyond ? reached : page).filter(({ id }) => selection.has(id)),
    offer: (selection.is_beyond || is_page_selected) && (
      <Suspense>
        <SelectionOffer {...{ selection, count, load, canSelect, onReach }} />
      </Suspense>
    ),
  };
}
