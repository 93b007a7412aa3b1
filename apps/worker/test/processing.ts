import type { Database } from "@findersfee/database/postgres/connect";
import { insertMessages } from "@findersfee/database/processors/messages";
import { OPERATOR } from "@findersfee/domain/actor";
import { createAffiliate } from "@findersfee/domain/affiliates/create";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import type { Context } from "@findersfee/domain/context";
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { readGenericMessage, readStripeEvent } from "@findersfee/domain/processors/intake/message";
import { makeOrganization } from "./subscriptions.ts";

/** An organization with a campaign of 30 % and a referral for each of its customers. */
export interface TestOrganization {
  context: Context;
  organization_id: string;
  affiliate_id: string;
}

export async function makeTestOrganization(
  database: Database,
  { customers = [] }: { customers?: string[] } = {},
): Promise<TestOrganization> {
  const organization_id = await makeOrganization(database);
  const organization = { id: organization_id, currency: "USD", subscription_status: "active" } as const;
  const context: Context = {
    database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
  await createCampaign(context, {
    name: "Partners",
    commission_type: "percentage",
    commission_amount: 30,
    code_mode: "both",
    website_url: "https://example.com",
    reference_coupon: "co_30",
    is_default: true,
  });
  const { id: affiliate_id } = await createAffiliate(context, {
    email: "jane@example.com",
    promo_code: "JANE",
  });
  for (const customer of customers) {
    await createReferral(context, {
      affiliate_id,
      email: `${customer}@example.com`,
      processor_customer_id: customer,
      subscription_status: "signed_up",
    });
  }
  return { context, organization_id, affiliate_id };
}

/** A payment of 100 USD, as a biller reports it. */
export function paymentBody(
  id: string,
  { payment_id, customer_id }: { payment_id: string; customer_id: string },
): string {
  return JSON.stringify({
    id,
    type: "payment",
    occurred_at: new Date().toISOString(),
    data: { payment_id, customer_id, currency: "USD", revenue_amount: 100 },
  });
}

export async function storeGeneric(
  database: Database,
  organization_id: string,
  bodies: Record<string, string>,
): Promise<void> {
  const now = new Date();
  const messages = Object.entries(bodies).map(([id, body]) => readGenericMessage(body, { id, now }));
  await insertMessages(database, organization_id, { source: "webhook", messages });
}

export async function storeStripe(
  database: Database,
  organization_id: string,
  bodies: string[],
): Promise<void> {
  const now = new Date();
  const messages = bodies.map((body) => readStripeEvent(body, { livemode: true, now }));
  await insertMessages(database, organization_id, { source: "webhook", messages });
}

/** How many messages of the organization are in each state. */
export async function messageStates(
  database: Database,
  organization_id: string,
): Promise<Record<string, number>> {
  const rows = await database<{ state: string; count: number }[]>`
    select state, count(*)::int as count from processor_messages
    where organization_id = ${organization_id} group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

export async function commissionsOf(database: Database, organization_id: string): Promise<string[]> {
  const rows = await database<{ processor_payment_id: string; commission_minor: bigint }[]>`
    select processor_payment_id, commission_minor from commissions
    where organization_id = ${organization_id} order by processor_payment_id`;
  return rows.map((row) => `${row.processor_payment_id}:${row.commission_minor}`);
}
