import { Money, Time } from "@findersfee/ui/components/values";
import { nameOf } from "../../affiliates/name.ts";
import { DecisionChanges } from "../../attribution/decision-changes.tsx";
import type { BreakdownColumn } from "../../lists/breakdown.tsx";
import type { ClaimDetail, ClaimPreview } from "./queries.ts";
import { texts } from "./texts.ts";

const PAYMENT: BreakdownColumn<ClaimPreview["payments"][number]> = {
  header: texts.payment,
  cell: ({ paid_at }) => <Time at={paid_at} />,
};

/** The amount, and everything else that accepting changes. */
export function Preview({
  detail: { claim, customer },
  chosen,
  preview,
}: {
  detail: ClaimDetail;
  chosen: string;
  preview: ClaimPreview;
}) {
  const name = nameOf(claim.affiliate);
  const others = preview.payments.filter(({ id }) => id !== chosen);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-card bg-sunk px-4 py-3">
        <bdi className="text-muted">{texts.earns(name)}</bdi>
        <span className="text-figure font-medium">
          <Money amount={preview.commission_amount} currency={preview.currency} />
        </span>
      </div>
      <p className="text-table wrap-anywhere text-muted">
        {customer === null
          ? texts.becomes_referral(claim.email, name)
          : texts.extends_referral(claim.email, name)}
      </p>
      {others.length > 0 && (
        <DecisionChanges
          caption={texts.changes}
          changes={others}
          payment={PAYMENT}
          currencyOf={({ currency }) => currency}
        />
      )}
    </div>
  );
}
