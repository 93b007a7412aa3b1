import type { AffiliateCampaign } from "@findersfee/contract/campaigns/campaigns";
import { formatMoney } from "@findersfee/ui/formats/money";
import { texts } from "./texts.ts";

/** A campaign's rate in short: `30%, 12 months`. */
export function rateText(
  {
    commission_type,
    commission_amount,
    limit_type,
    limit_amount,
  }: Pick<AffiliateCampaign, "commission_type" | "commission_amount" | "limit_type" | "limit_amount">,
  currency: string,
): string {
  const rate =
    commission_type === "percentage" ? `${commission_amount}%` : formatMoney(commission_amount, currency);
  return limit_type === "none" || limit_amount === null
    ? rate
    : `${rate}, ${texts.limits[limit_type](limit_amount)}`;
}
