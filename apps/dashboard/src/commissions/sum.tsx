import { Sum } from "@findersfee/ui/components/sum";
import { formatMoney } from "@findersfee/ui/formats/money";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";

interface CommissionSumProps {
  story: Story;
}

/** The commission as the sum of its ledger entries and, once it was paid, of the commissions that reverse it. */
export function CommissionSum({
  story: { commission, ledger, related, remaining_amount, adds_up },
}: CommissionSumProps) {
  const reversals = commission.reversal_of === null ? related : [];
  const amounts = [
    ...ledger.map(({ unpaid }) => unpaid),
    ...reversals
      .filter(({ payout_status }) => payout_status !== "voided")
      .map(({ commission_amount }) => commission_amount),
  ];
  return (
    <div className="mt-2">
      <Sum
        label={story_texts.now}
        total={remaining_amount}
        amounts={amounts}
        format={(amount) => formatMoney(amount, commission.currency)}
        adds_up={adds_up}
        verdict={adds_up ? story_texts.adds_up : story_texts.does_not_add_up}
      />
    </div>
  );
}
