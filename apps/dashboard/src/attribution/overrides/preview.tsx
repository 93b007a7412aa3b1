import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import { Money, Time } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Breakdown, type BreakdownColumn } from "../../lists/breakdown.tsx";
import { labels } from "../outcome-texts.ts";
import { texts } from "./texts.ts";
import type { OverridePreview } from "./use-override.ts";

/** Rows of a table; a customer of years has hundreds of payments. */
const SHOWN = 8;

type Payment = OverridePreview["payments"][number];
type Commission = OverridePreview["commissions"][number];

/**
 * The balances, payments and manual commissions that an override changes. `nothing` is the text if it changes
 * none now.
 */
export function Preview({ preview, nothing }: { preview: OverridePreview; nothing: string }) {
  const { payments, payment_count, commissions, commission_count, balances, names } = preview;
  if (payments.length === 0 && commissions.length === 0 && balances.length === 0) {
    return <p className="rounded-card bg-sunk px-4 py-3 wrap-anywhere">{nothing}</p>;
  }
  return (
    <section aria-label={texts.preview} className="grid grid-cols-1 gap-4">
      {balances.length > 0 && (
        <ul aria-label={texts.balances} className="grid gap-1.5 rounded-card bg-sunk px-4 py-3">
          {balances.map(({ affiliate_id, currency, difference }) => (
            <li
              key={`${affiliate_id} ${currency}`}
              className="flex flex-wrap items-baseline justify-between gap-x-4"
            >
              <bdi className="min-w-0 wrap-anywhere text-muted">{names.get(affiliate_id)}</bdi>
              <span className="text-figure font-medium tabular-nums">
                {difference > 0 ? "+" : ""}
                {formatMoney(difference, currency)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Changes
        rows={payments}
        count={payment_count}
        keyOf={({ processor_payment_id }) => processor_payment_id}
        columns={paymentColumns(names)}
      />
      <Changes
        rows={commissions}
        count={commission_count}
        keyOf={({ id }) => id}
        columns={commissionColumns(names)}
      />
    </section>
  );
}

function Changes<Row>(table: {
  rows: readonly Row[];
  /** The number of all rows; `rows` may be only the first of them. */
  count: number;
  keyOf: (row: Row) => string;
  columns: readonly BreakdownColumn<Row>[];
}) {
  const { rows, count, ...rest } = table;
  if (rows.length === 0) return null;
  const more = count - SHOWN;
  return <Breakdown {...rest} fixed rows={rows.slice(0, SHOWN)} more={more > 0 ? texts.more(more) : null} />;
}

function paymentColumns(names: OverridePreview["names"]): BreakdownColumn<Payment>[] {
  const show = ({ currency }: Payment, { outcome, commission_amount, affiliate_id }: Payment["before"]) =>
    outcome === "commission" ? (
      <>
        <Money amount={commission_amount} currency={currency} />
        <Name>{names.get(affiliate_id ?? "")}</Name>
      </>
    ) : (
      (labels[outcome as PaymentOutcomeName] ?? outcome)
    );
  return [
    {
      header: texts.payment,
      cell: ({ processor_payment_id, paid_at }) => (
        <>
          <Time at={paid_at} show="day" />
          <span className="block truncate font-mono text-meta text-muted">{processor_payment_id}</span>
        </>
      ),
    },
    { header: texts.now, cell: (row) => show(row, row.before), muted: true },
    { header: texts.afterwards, cell: (row) => show(row, row.after) },
  ];
}

function commissionColumns(names: OverridePreview["names"]): BreakdownColumn<Commission>[] {
  return [
    {
      header: texts.manual,
      cell: ({ commission_amount, currency }) => <Money amount={commission_amount} currency={currency} />,
    },
    {
      header: texts.now,
      cell: ({ before_affiliate_id }) => <Name>{names.get(before_affiliate_id)}</Name>,
      muted: true,
    },
    {
      header: texts.afterwards,
      cell: ({ after_affiliate_id }) => <Name>{names.get(after_affiliate_id)}</Name>,
    },
  ];
}

function Name({ children }: { children: string | undefined }) {
  return <bdi className="block truncate">{children}</bdi>;
}
