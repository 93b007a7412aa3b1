import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import { Money } from "@findersfee/ui/components/values";
import { Breakdown, type BreakdownColumn } from "../lists/breakdown.tsx";
import { labels } from "./outcome-texts.ts";
import { texts } from "./texts.ts";

interface Result {
  outcome: PaymentOutcomeName;
  commission_amount: number;
}

interface DecisionChange {
  id: string;
  before: Result;
  after: Result;
}

export interface DecisionChangesProps<Change> {
  caption?: string;
  changes: readonly Change[];
  /** The column that names the payment. */
  payment: BreakdownColumn<Change>;
  currencyOf: (change: Change) => string;
}

/** The decisions about payments now, and after a change. */
export function DecisionChanges<Change extends DecisionChange>({
  changes,
  payment,
  currencyOf,
  ...rest
}: DecisionChangesProps<Change>) {
  const show = (change: Change, { outcome, commission_amount }: Result) =>
    outcome === "commission" ? (
      <Money amount={commission_amount} currency={currencyOf(change)} />
    ) : (
      labels[outcome]
    );
  return (
    <Breakdown
      {...rest}
      fixed
      rows={changes}
      keyOf={({ id }) => id}
      columns={[
        payment,
        { header: texts.now, cell: (change) => show(change, change.before), muted: true },
        { header: texts.afterwards, cell: (change) => show(change, change.after) },
      ]}
    />
  );
}
