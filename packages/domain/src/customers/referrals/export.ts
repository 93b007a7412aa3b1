import {
  MAX_SUMMED_COMMISSIONS,
  type MatchReferrals,
  matchReferralsInput,
} from "@findersfee/contract/customers/referral-rows";
import {
  listReferralRows,
  type ReferralListRow,
  type SignUpPosition,
} from "@findersfee/database/customers/list-referral-rows";
import { z } from "zod";
import { writeSignedAmount } from "../../csv/amount.ts";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../../csv/export-step.ts";
import type { Cell } from "../../csv/write-lines.ts";
import type { JobKind } from "../../work/jobs/kind.ts";
import { referralFilter } from "./list-rows.ts";

const HEADER = [
  "id",
  "email",
  "customer_id",
  "affiliate_id",
  "affiliate_name",
  "affiliate_email",
  "status",
  "signed_up",
  "first_paid",
  "commissions",
  "currency",
  "revenue",
  "commission",
  "other_currencies",
];

const positionSchema = exportPosition.unwrap().extend({ signup_date: z.iso.datetime() }).nullable();

/** The referrals of the list's filters as CSV, the latest sign-up first. */
export const referralsExport: JobKind<MatchReferrals> = {
  input: matchReferralsInput,
  file: "referrals",
  async step({ sql, organization, input, position, done }) {
    const former = positionSchema.parse(position);
    const rows = await listReferralRows(sql, organization.id, {
      filter: await referralFilter(sql, organization.id, input),
      range: { after: former && positionOf(former), before: null, limit: EXPORT_PAGE },
      most_commissions: MAX_SUMMED_COMMISSIONS,
    });
    const lines = rows.map((row) => lineOf(row, organization.currency));
    const progress = exportProgress({ done, position }, { header: HEADER, rows, lines });
    const last = rows.at(-1);
    if (progress.position === null || last === undefined) return progress;
    return { ...progress, position: { ...progress.position, signup_date: last.signup_date.toISOString() } };
  },
};

function positionOf({ after, signup_date }: { after: string; signup_date: string }): SignUpPosition {
  return { signup_date: new Date(signup_date), id: after };
}

function lineOf(row: ReferralListRow, home_currency: string): Cell[] {
  const home = row.sums.find(({ currency }) => currency === home_currency);
  const others = row.sums.filter(({ currency }) => currency !== home_currency);
  const amount = (minor: string, currency: string) => writeSignedAmount(BigInt(minor), currency);
  return [
    row.id,
    row.email,
    row.processor_customer_id ?? "",
    row.affiliate_id,
    `${row.first_name} ${row.last_name}`.trim(),
    row.affiliate_email,
    row.subscription_status,
    row.signup_date.toISOString(),
    row.converted_at?.toISOString() ?? "",
    String(row.commissions),
    home_currency,
    { exact: amount(home?.revenue_minor ?? "0", home_currency) },
    { exact: amount(home?.commission_minor ?? "0", home_currency) },
    others
      .map(
        ({ currency, revenue_minor, commission_minor }) =>
          `${currency} ${amount(revenue_minor, currency)} revenue, ${amount(commission_minor, currency)} commission`,
      )
      .join("; "),
  ];
}
