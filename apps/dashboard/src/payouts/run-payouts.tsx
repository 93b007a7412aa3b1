import { Button } from "@findersfee/ui/components/button";
import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { useSelection } from "@findersfee/ui/lists/selection";
import type { Column } from "@findersfee/ui/lists/table";
import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { useState } from "react";
import { export_texts } from "../jobs/export-texts.ts";
import { useExport } from "../jobs/use-export.ts";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import { Filters } from "../lists/filters.tsx";
import { Rows } from "../lists/rows.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { useMay, useSession } from "../session/session.tsx";
import { MoveDialog } from "./dialogs.tsx";
import { type PayoutRow, payoutFilters, payoutsQuery, type Run, type RunSearch } from "./queries.ts";
import { run_texts } from "./run-texts.ts";
import { PayoutStatus } from "./status.tsx";
import { texts } from "./texts.ts";

const COLUMNS: readonly Column<PayoutRow>[] = [
  {
    id: "affiliate",
    header: texts.affiliate,
    cell: ({ affiliate_name }) => <Untrusted lines={1}>{affiliate_name}</Untrusted>,
    narrow: "above",
    strong: true,
  },
  {
    id: "to",
    header: texts.pays_to,
    cell: ({ payout_email }) => <Untrusted lines={1}>{payout_email ?? "—"}</Untrusted>,
    narrow: "below",
  },
  {
    id: "commissions",
    header: texts.commissions,
    cell: ({ payment_count }) => payment_count,
    align: "end",
    width: "w-32",
    roomy: true,
  },
  {
    id: "amount",
    header: texts.amount,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    align: "end",
    narrow: "above-end",
    strong: true,
    width: "w-36",
  },
  {
    id: "status",
    header: texts.status,
    cell: ({ status }) => <PayoutStatus status={status} />,
    narrow: "below-end",
    width: "w-32",
  },
  {
    id: "updated",
    header: texts.updated,
    cell: ({ status_at, status_reason }) => (
      <span className="flex min-w-0 gap-1" {...(status_reason === null ? {} : { title: status_reason })}>
        <Time at={status_at} />
        {status_reason !== null && (
          <span className="min-w-0 truncate">
            · <bdi>{status_reason}</bdi>
          </span>
        )}
      </span>
    ),
    width: "w-80 max-full:w-40",
  },
];

function lockOf({ status }: PayoutRow): string | null {
  return status === "pending" || status === "processing" ? null : texts.locked;
}

/** The payouts of a run, which can be marked page by page. */
export function RunPayouts({ run, search }: { run: Run; search: RunSearch }) {
  const session = useSession();
  const { home } = session;
  const address: ListAddress<"status"> = useListAddress(`${home}/payouts/runs/${run.id}`, search);
  const query = useQuery(payoutsQuery(session, run, address.search));
  const may_move = useMay("admin");
  const exporting = useExport(() =>
    session.api.dashboard.payouts.export.mutate(payoutFilters(run, address.search)),
  );
  const rows = query.data?.data ?? [];
  const selection = useSelection(rows.filter((row) => lockOf(row) === null).map(({ id }) => id));
  // As they were selected when the dialog opened: those that were marked leave a filtered list.
  const [moving, setMoving] = useState<readonly string[] | null>(null);
  return (
    <section aria-label={texts.payouts}>
      <Filters address={address} label={texts.search_payout}>
        <ChoiceChip
          address={address}
          field="status"
          name={texts.status}
          values={[{ value: "open", label: texts.any_open }, ...valuesOf(texts.statuses)]}
        />
        {may_move && (
          <Button className="ml-auto" busy={exporting.busy} onClick={exporting.run}>
            {export_texts.export}
          </Button>
        )}
      </Filters>
      <Rows
        label={texts.payouts}
        address={address}
        query={query}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nameOf={({ affiliate_name }) => affiliate_name}
        linkTo={({ id }) => `${home}/payouts/${id}`}
        {...(may_move ? { selection, lockOf } : {})}
        actions={<Button onClick={() => setMoving(selection.keys)}>{run_texts.mark}</Button>}
        empty={{
          icon: Wallet,
          nothing_yet: texts.no_payouts,
          hint: texts.no_payouts_hint,
          nothing_matches: texts.nothing_matches,
        }}
      />
      <MoveDialog payouts={{ ids: moving ?? [] }} open={moving !== null} onClose={() => setMoving(null)} />
    </section>
  );
}
