import { State } from "@findersfee/ui/components/state";
import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { ShieldAlert, Undo2 } from "lucide-react";
import { nameOf } from "../affiliates/name.ts";
import { OutcomeCell } from "./outcome-cell.tsx";
import type { PaymentRow } from "./queries.ts";
import { reversal_texts } from "./reversal-texts.ts";
import { texts } from "./texts.ts";

/** The affiliate, or the first one that was passed over. */
function affiliateOf({ affiliate, passed }: PaymentRow): string | null {
  if (affiliate !== null) return nameOf(affiliate);
  if (passed === null || passed.affiliate === null) return null;
  return texts.passed(nameOf(passed.affiliate));
}

export const paymentColumns: readonly Column<PaymentRow>[] = [
  {
    id: "paid",
    header: texts.paid,
    cell: ({ paid_at }) => <Time at={paid_at} />,
    narrow: "below",
    width: "w-32",
  },
  {
    id: "customer",
    header: texts.customer,
    cell: ({ customer_email, processor_payment_id }) =>
      customer_email === null ? (
        <span className="text-muted">{processor_payment_id}</span>
      ) : (
        <Untrusted lines={1}>{customer_email}</Untrusted>
      ),
    narrow: "above",
    strong: true,
  },
  {
    id: "amount",
    header: texts.amount,
    cell: ({ revenue_amount, currency, taken_back_amount, taken_back_by }) => (
      <>
        {taken_back_amount > 0 && <TakenBackMark by={taken_back_by ?? "refund"} />}
        <Money amount={revenue_amount} currency={currency} />
      </>
    ),
    align: "end",
    narrow: "above-end",
    strong: true,
    width: "w-32",
  },
  {
    id: "outcome",
    header: texts.outcome,
    cell: (row) => <OutcomeCell row={row} />,
    narrow: "below-end",
    width: "w-54",
  },
  {
    id: "affiliate",
    header: texts.affiliate,
    cell: (row) => {
      const name = affiliateOf(row);
      return name === null ? "—" : <Untrusted lines={1}>{name}</Untrusted>;
    },
    roomy: true,
    width: "w-[16%]",
  },
  {
    id: "commission",
    header: texts.commission,
    cell: ({ remaining, currency }) =>
      remaining === null ? "—" : <Money amount={remaining.amount} currency={currency} />,
    align: "end",
    width: "w-28",
  },
];

/** The columns for one affiliate: its payments include those that other affiliates won. */
export function paymentColumnsOf(affiliate_id: string): readonly Column<PaymentRow>[] {
  const winnerOf = ({ affiliate }: PaymentRow) =>
    affiliate === null || affiliate.id === affiliate_id ? null : affiliate;
  return paymentColumns.flatMap((column) => {
    switch (column.id) {
      case "affiliate":
        return [];
      case "outcome":
        return [
          {
            ...column,
            cell: (row) => {
              const winner = winnerOf(row);
              return winner === null ? <OutcomeCell row={row} /> : <WonBy name={nameOf(winner)} />;
            },
          },
        ];
      case "commission":
        return [{ ...column, cell: (row) => (winnerOf(row) === null ? column.cell(row) : "—") }];
      default:
        return [column];
    }
  });
}

function TakenBackMark({ by }: { by: NonNullable<PaymentRow["taken_back_by"]> }) {
  const word = reversal_texts.gone[by];
  const Icon = by === "refund" ? Undo2 : ShieldAlert;
  return (
    <span title={word} className="mr-1.5 inline-block text-muted">
      <Icon aria-hidden size={13} className="inline align-[-2px]" />
      <span className="sr-only">{word}</span>
    </span>
  );
}

function WonBy({ name }: { name: string }) {
  return (
    <State tone="none">
      <span className="text-ink">{texts.won_by}</span> <bdi>{name}</bdi>
    </State>
  );
}
