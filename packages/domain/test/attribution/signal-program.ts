/* Programs with signals of fraud, and a customer who pays. */
import type { PaymentDecision } from "@findersfee/contract/attribution/payment-decisions";
import { type CampaignSignals, NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import type { Database } from "@findersfee/database/postgres/connect";
import { expect } from "vitest";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { getCommission } from "../../src/commissions/get.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, type CampaignFields, click, report } from "./program.ts";
import { checkout, payment, second } from "./reported.ts";

export interface Program {
  context: CreationContext;
  campaign_id: string;
  affiliate_id: string;
}

export type Signals = Partial<CampaignSignals>;

export async function newProgram(
  database: Database,
  signals: Signals,
  {
    affiliate = {},
    ...fields
  }: Partial<CampaignFields> & { affiliate?: { email?: string; payout_email?: string } } = {},
): Promise<Program> {
  const context = await makeContext(database);
  const campaign = { ...fields, signals: { ...NO_SIGNALS, referrers: [], ...signals } };
  return { context, ...(await addPartner(context, campaign, affiliate)) };
}

export interface Sale {
  email?: string;
  landing_url?: string;
  referrer?: string;
  network_hash?: string;
}

export const CLICKED = second(1);

/** A customer's click, checkout and payment of 100.00, which earns 30.00. */
export async function sell(
  { context, affiliate_id }: Program,
  { email = "buyer@customers.test", ...click_fields }: Sale = {},
): Promise<PaymentDecision> {
  const click_id = await click(context, { affiliate_id, at: CLICKED, ...click_fields });
  const buyer = { customer_id: "cus_1", email };
  await report(
    context,
    checkout({ subject: "cs_1", ...buyer, click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", ...buyer, at: second(20) }),
  );
  return await decisionOf(context, "in_1");
}

/** The decision about a payment, or the only one. */
export async function decisionOf(context: CreationContext, payment_id?: string): Promise<PaymentDecision> {
  const { data } = await listPaymentDecisions(context, { limit: 100 });
  const decision = data.find(
    ({ processor_payment_id }) => payment_id === undefined || processor_payment_id === payment_id,
  );
  if (decision === undefined) throw new Error("no payment was decided");
  return decision;
}

export async function reviewOf(context: CreationContext, { commission_id }: PaymentDecision) {
  const { review_state, review } = await getCommission(context, commission_id ?? "");
  return { state: review_state, reasons: review?.reasons ?? null };
}

export async function expectSoundLedger({ database, organization }: CreationContext): Promise<void> {
  const rules = await verifyLedger(database, organization.id);
  expect(rules.filter(({ rows }) => rows.length > 0)).toEqual([]);
}
