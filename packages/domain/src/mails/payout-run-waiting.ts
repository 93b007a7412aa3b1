import type { WaitingRunRow } from "@findersfee/database/payouts/approvals";
import { showAmount, showPeriod, showTime } from "./amounts.ts";
import { type Block, facts, type MemberMailContent, paragraph } from "./content.ts";

export interface PayoutRunWaiting
  extends Pick<WaitingRunRow, "period" | "number" | "started_by_name" | "started_at" | "confirmed"> {
  organization_name: string;
  /** The time zone of the time. */
  time_zone: string;
  /** The run in the dashboard; null: the service's address is not known. */
  url: string | null;
}

/** The mail to an owner or admin who can approve a payout run that waits. */
export function payoutRunWaiting(run: PayoutRunWaiting): MemberMailContent {
  const { organization_name, period, number, started_by_name, started_at, time_zone, url } = run;
  const month = showPeriod(period);
  const name = number === 1 ? `the payout run for ${month}` : `payout run ${number} for ${month}`;
  const starter = started_by_name === null ? "" : `, started by ${started_by_name},`;
  return {
    subject: `A payout run at ${organization_name} is waiting for your approval`,
    heading: "A payout run is waiting for approval",
    blocks: [
      paragraph(
        `At ${organization_name}, ${name}${starter} is above the amount that one person can pay. It pays nothing until another owner or admin approves it.`,
      ),
      { kind: "list", items: Object.entries(run.confirmed).map(total) },
      facts({ Started: showTime(started_at, { language: "en", time_zone }) }),
      ...link(url),
    ],
  };
}

function total([currency, { payouts, amount_minor }]: [string, WaitingRunRow["confirmed"][string]]): string {
  const count = payouts === 1 ? "1 payout" : `${payouts.toLocaleString("en-US")} payouts`;
  return `${showAmount(BigInt(amount_minor), currency)} in ${count}`;
}

function link(url: string | null): Block[] {
  if (url === null) return [paragraph("Open the run in the dashboard to approve or decline it.")];
  return [{ kind: "link", label: "Review the payout run", url }];
}
