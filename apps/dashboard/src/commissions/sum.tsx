import { formatMoney } from "@findersfee/ui/formats/money";
import { Check, TriangleAlert } from "lucide-react";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";

/** The commission as the sum of its ledger entries and, once it was paid, of the commissions that reverse it. */
export function Sum({ story: { commission, ledger, related, remaining_amount, adds_up } }: { story: Story }) {
  const money = (amount: number) => formatMoney(amount, commission.currency);
  const reversals = commission.reversal_of === null ? related : [];
  const amounts = [
    ...ledger.map(({ unpaid }) => unpaid),
    ...reversals
      .filter(({ payout_status }) => payout_status !== "voided")
      .map(({ commission_amount }) => commission_amount),
  ];
  const terms = amounts
    .map((amount, index) =>
      index === 0 ? money(amount) : ` ${amount < 0 ? "−" : "+"} ${money(Math.abs(amount))}`,
    )
    .join("");
  return (
    <div className="mt-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-card bg-sunk px-4 py-3">
      <p className="tabular-nums">
        <span className="mr-2 text-muted">{story_texts.now}</span>
        <strong className="font-semibold">{money(remaining_amount)}</strong>
        {amounts.length > 1 && <span className="text-muted"> = {terms}</span>}
      </p>
      <p className={`flex items-center gap-1.5 text-table ${adds_up ? "text-good" : "text-bad"}`}>
        {adds_up ? (
          <Check aria-hidden size={14} className="shrink-0" />
        ) : (
          <TriangleAlert aria-hidden size={14} className="shrink-0" />
        )}
        {adds_up ? story_texts.adds_up : story_texts.does_not_add_up}
      </p>
    </div>
  );
}
