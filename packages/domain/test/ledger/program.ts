import type { UpdateOrganizationSettings } from "@findersfee/contract/organizations";
import type { PayoutPreview, PreviewPayoutRun } from "@findersfee/contract/payouts/runs";
import type { Database } from "@findersfee/database/postgres/connect";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { getCommission } from "../../src/commissions/get.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { toMajor } from "../../src/money.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { previewPayoutRun } from "../../src/payouts/runs/preview.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { workPayoutRuns } from "../work.ts";

/** The context of a new organization, without a holding period by default. */
export async function makePayoutContext(
  database: Database,
  settings: UpdateOrganizationSettings = {},
): Promise<CreationContext> {
  const context = await makeContext(database);
  const { currency } = await updateSettings(context, { hold_days: 0, ...settings });
  return { ...context, organization: { ...context.organization, currency } };
}

export interface Earner {
  affiliate_id: string;
  referral_id: string;
}

let customers = 0;

/** Creates an affiliate with a referral. */
export async function addEarner(
  context: Context,
  campaign: Parameters<typeof addPartner>[1] = {},
): Promise<Earner> {
  const { affiliate_id } = await addPartner(context, campaign);
  customers += 1;
  const email = `customer${customers}@customers.test`;
  const { id } = await createReferral(context, { affiliate_id, email, subscription_status: "signed_up" });
  return { affiliate_id, referral_id: id };
}

/** Creates a manual commission, in major units; returns its id. */
export async function earn(
  context: CreationContext,
  { referral_id }: Earner,
  { amount, ...fields }: { amount: number; currency?: string; referral_date?: Date },
): Promise<string> {
  const { referral_date, ...rest } = fields;
  const { id } = await createCommission(context, {
    referral_id,
    revenue_amount: amount * 2,
    commission_amount: amount,
    ...rest,
    ...(referral_date === undefined ? {} : { referral_date: referral_date.toISOString() }),
  });
  return id;
}

/** The month this many months ago, as `YYYY-MM`. */
export function monthsAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
}

/** A commission's payout status. */
export async function statusOf(context: Context, id: string): Promise<string> {
  return (await getCommission(context, id)).payout_status;
}

/** Starts and finishes a payout run; returns its id. */
export async function payOut(context: Context, period: string): Promise<string> {
  const { id } = await startPayoutRun(context, { period, method: "manual" });
  await workPayoutRuns(context.database, new AbortController().signal);
  return id;
}

export interface PayoutRow {
  id: string;
  affiliate_id: string;
  currency: string;
  amount_minor: bigint;
  payment_count: number;
  period: string;
  status: string;
}

/** The organization's payouts by affiliate, currency and period. */
export async function payouts({ database, organization }: Context): Promise<PayoutRow[]> {
  return await database<PayoutRow[]>`
    select id, affiliate_id, currency, amount_minor, payment_count, period, status from payouts
    where organization_id = ${organization.id} order by affiliate_id, currency, period, id`;
}

/** The preview's lines by affiliate and currency, read page by page. */
export async function previews(
  context: Context,
  query: Partial<PreviewPayoutRun> = {},
): Promise<PayoutPreview[]> {
  const all: PayoutPreview[] = [];
  const keyOf = ({ affiliate_id, currency }: PayoutPreview) => `${affiliate_id} ${currency}`;
  for (let after: string | undefined; ; ) {
    const page = await previewPayoutRun(context, { limit: 7, after, ...query });
    all.push(...page.data);
    if (page.older === null) return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    after = page.older;
  }
}

type Paid = Pick<PayoutPreview, "affiliate_id" | "currency" | "amount" | "payment_count">;

/** The preview's payouts in the form of `paidIn`. */
export function promised(previews: readonly PayoutPreview[]): Paid[] {
  return previews
    .filter(({ outcome }) => outcome === "included")
    .map(({ affiliate_id, currency, amount, payment_count }) => {
      return { affiliate_id, currency, amount, payment_count };
    });
}

/** The payouts of a period. */
export async function paidIn(context: Context, period: string): Promise<Paid[]> {
  return (await payouts(context))
    .filter((payout) => payout.period === period)
    .map(({ affiliate_id, currency, amount_minor, payment_count }) => {
      return { affiliate_id, currency, amount: toMajor(amount_minor, currency), payment_count };
    });
}

/** Payouts that are on their way become paid. */
export async function pay(context: Context, ids: string[]): Promise<void> {
  await movePayouts(context, { ids, status: "processing" });
  await movePayouts(context, { ids, status: "paid" });
}

/** The findings of `verify ledger` in an organization, as `check: row`. */
export async function brokenRules({ database, organization }: Context): Promise<string[]> {
  const checked = await verifyLedger(database, organization.id);
  return checked.flatMap(({ name, rows }) => rows.map(({ subject }) => `${name}: ${subject}`)).sort();
}
