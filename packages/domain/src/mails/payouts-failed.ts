import { showAmount, showPeriod } from "./amounts.ts";
import { type Block, type MemberMailContent, paragraph } from "./content.ts";

export interface FailedPayout {
  affiliate_name: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  status_reason: string | null;
  /** Whether the affiliate was erased since, so that no run pays it again. */
  is_erased: boolean;
}

export interface PayoutsFailed {
  organization_name: string;
  /** The number of payouts that failed together. */
  count: number;
  /** The first few of them. */
  payouts: FailedPayout[];
}

const ERASED = "; the affiliate has been erased, so no run will pay it: void it on the affiliate's page";

/** The mail to members about one failed payout, or several that failed together. */
export function payoutsFailed({ organization_name, count, payouts }: PayoutsFailed): MemberMailContent {
  const failed = count === 1 ? "A payout" : `${count.toLocaleString("en-US")} payouts`;
  const [amount, included] = count === 1 ? ["its amount is", "it"] : ["their amounts are", "them"];
  return {
    subject: `${failed} at ${organization_name} failed`,
    heading: `${failed} failed`,
    blocks: [
      paragraph(
        `${failed} at ${organization_name} failed, and ${amount} due again. The next payout run will include ${included}.`,
      ),
      { kind: "list", items: payouts.map(failedPayout) },
      ...rest(count - payouts.length),
      paragraph("Please fix the problem before then, such as an address that no longer accepts payments."),
    ],
  };
}

/** A payout with its reason, in a list. */
export function failedPayout(payout: FailedPayout): string {
  const { affiliate_name, amount_minor, currency, period, status_reason, is_erased } = payout;
  const why = status_reason === null || status_reason.trim() === "" ? "" : `: ${status_reason}`;
  return `${showAmount(amount_minor, currency)} to ${affiliate_name} for ${showPeriod(period)}${why}${is_erased ? ERASED : ""}`;
}

function rest(count: number): Block[] {
  if (count <= 0) return [];
  return [paragraph(`And ${count.toLocaleString("en-US")} more. The list of payouts has all of them.`)];
}
