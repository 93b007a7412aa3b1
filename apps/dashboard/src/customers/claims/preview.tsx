import { Money, Time } from "@findersfee/ui/components/values";
import { nameOf } from "../../affiliates/name.ts";
import { labels } from "../../attribution/outcomes.ts";
import type { ClaimDetail, ClaimPreview } from "./queries.ts";
import { texts } from "./texts.ts";

type Change = ClaimPreview["payments"][number];

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
      {others.length > 0 && <Changes changes={others} />}
    </div>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <table className="w-full table-fixed text-table">
      <caption className="pb-1 text-left font-medium">{texts.changes}</caption>
      <thead>
        <tr className="border-b border-line text-left text-meta text-muted">
          <th scope="col" className="py-1.5 font-medium">
            {texts.payment}
          </th>
          <th scope="col" className="font-medium">
            {texts.now}
          </th>
          <th scope="col" className="font-medium">
            {texts.afterwards}
          </th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ id, paid_at, currency, before, after }) => (
          <tr key={id} className="border-b border-line last:border-0">
            <td className="py-1.5 pr-3">
              <Time at={paid_at} />
            </td>
            <td className="pr-3 text-muted">
              <Result decided={before} currency={currency} />
            </td>
            <td>
              <Result decided={after} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Result({ decided, currency }: { decided: Change["before"]; currency: string }) {
  const { outcome, commission_amount } = decided;
  return outcome === "commission" ? (
    <Money amount={commission_amount} currency={currency} />
  ) : (
    labels[outcome]
  );
}
