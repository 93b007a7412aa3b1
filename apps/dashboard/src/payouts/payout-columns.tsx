import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { monthOf } from "./month.ts";
import type { PayoutRow } from "./queries.ts";
import { PayoutStatus } from "./status.tsx";
import { texts } from "./texts.ts";

const month: Column<PayoutRow> = {
  id: "month",
  header: texts.month,
  cell: ({ period }) => monthOf(period),
  width: "w-36",
};

/** The columns of a run's payouts. */
export const payoutColumns: readonly Column<PayoutRow>[] = [
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
    id: "lines",
    header: texts.lines,
    cell: ({ payment_count }) => payment_count,
    align: "end",
    width: "w-20",
    roomy: true,
  },
  {
    id: "amount",
    header: texts.amount,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    align: "end",
    narrow: "above-end",
    strong: true,
    width: "w-32",
  },
  {
    id: "status",
    header: texts.status,
    cell: ({ status }) => <PayoutStatus status={status} />,
    narrow: "below-end",
    width: "w-28",
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
    width: "w-[24%] max-full:w-40",
  },
];

/** The columns of the payouts of all runs. */
export const allPayoutColumns: readonly Column<PayoutRow>[] = payoutColumns.flatMap((column) =>
  column.id === "to" ? [month, column] : [column],
);
