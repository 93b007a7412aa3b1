import { Button } from "@findersfee/ui/components/button";
import type { Column } from "@findersfee/ui/lists/table";
import { type ReactNode, useState } from "react";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import type { EmptyListProps } from "../lists/empty-list.tsx";
import { Filters, isFilterable } from "../lists/filters.tsx";
import { newestOf, RowCountText } from "../lists/row-count.tsx";
import { type RowQuery, Rows } from "../lists/rows.tsx";
import type { ListAddress } from "../lists/use-list-address.ts";
import { useListSelection } from "../lists/use-list-selection.tsx";
import { isRowless, type RowPage } from "../requests/row-page.ts";
import { useMay, useSession } from "../session/session.tsx";
import { export_texts } from "../work/export-texts.ts";
import { useExport } from "../work/use-export.ts";
import { MoveDialog } from "./dialogs.tsx";
import { type PayoutFilters, type PayoutRow, payoutCounts } from "./queries.ts";
import { run_texts } from "./run-texts.ts";
import { texts } from "./texts.ts";

const isOpen = (status: string): boolean => status === "pending" || status === "processing";

function lockOf({ status }: PayoutRow): string | null {
  return isOpen(status) ? null : texts.locked;
}

export interface PayoutListProps<Name extends string> {
  address: ListAddress<Name | "status">;
  query: RowQuery<RowPage<PayoutRow>>;
  columns: readonly Column<PayoutRow>[];
  /** The filter of the export. */
  filters: PayoutFilters;
  /** Filters beside the status. */
  chips?: ReactNode;
  empty: EmptyListProps;
}

/** Payouts, which can be marked page by page and exported. */
export function PayoutList<Name extends string>(props: PayoutListProps<Name>) {
  const { address, query, columns, filters, chips, empty } = props;
  const session = useSession();
  const { api, home } = session;
  const may_move = useMay("admin");
  const exporting = useExport(() => api.dashboard.payouts.export.mutate(filters));
  const counts = payoutCounts(session, filters, { run_id: filters.run_id });
  const { selection, offer } = useListSelection({
    rows: query.data?.data.map(({ id, status }) => ({ id, state: status })),
    canSelect: ({ state }) => isOpen(state),
    address,
    count: counts.matching,
    load: () => api.dashboard.payouts.matching.query(filters),
  });
  // As they were selected when the dialog opened: those that were marked leave a filtered list.
  const [moving, setMoving] = useState<readonly string[] | null>(null);
  return (
    <section aria-label={texts.payouts}>
      {isFilterable(query.data, address) && (
        <Filters address={address} label={texts.search_payout}>
          <ChoiceChip
            address={address}
            field="status"
            name={texts.status}
            values={[{ value: "open", label: texts.any_open }, ...valuesOf(texts.statuses)]}
          />
          {chips}
          <span className="ml-auto text-table text-muted tabular-nums">
            <RowCountText
              counts={counts}
              newest={newestOf(query.data?.data, address.search)}
              address={address}
            />
          </span>
          {may_move && (
            <Button busy={exporting.busy} disabled={isRowless(query.data)} onClick={exporting.run}>
              {export_texts.export}
            </Button>
          )}
        </Filters>
      )}
      <Rows
        label={texts.payouts}
        address={address}
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ affiliate_name }) => affiliate_name}
        linkTo={({ id }) => `${home}/payouts/${id}`}
        {...(may_move ? { selection, lockOf } : {})}
        offer={offer}
        actions={<Button onClick={() => setMoving(selection.keys)}>{run_texts.mark}</Button>}
        empty={empty}
      />
      <MoveDialog payouts={{ ids: moving ?? [] }} open={moving !== null} onClose={() => setMoving(null)} />
    </section>
  );
}
