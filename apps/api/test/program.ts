import { randomUUID } from "node:crypto";
import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import type { Commission } from "@findersfee/contract/commissions/commissions";
import type { Referral } from "@findersfee/contract/customers/referrals";
import type { EventType } from "@findersfee/contract/webhooks/events";
import type { Database } from "@findersfee/database/postgres/connect";
import { withoutTriggers } from "@findersfee/database/testing";
import { OPERATOR } from "@findersfee/domain/actor";
import { newId } from "@findersfee/domain/ids";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import type { TestClient, TestService } from "./test-service.ts";

/** One row of each resource, each linked to the previous one. */
export interface Program {
  organization: TestClient;
  campaign: Campaign;
  affiliate: Affiliate;
  referral: Referral;
  commission: Commission;
}

export const CAMPAIGN = {
  name: "Partner program",
  commission_type: "percentage",
  commission_amount: 30,
  website_url: "https://example.com",
} as const;

/** An organization with a default campaign, an affiliate, its referral and the referral's commission. */
export async function createProgram(
  service: TestService,
  options: Parameters<TestService["organization"]>[0] = {},
): Promise<Program> {
  const organization = await service.organization(options);
  const { trpc } = organization;
  const campaign = await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  const affiliate = await trpc.affiliates.create.mutate({
    email: "jane@example.com",
    first_name: "Jane",
    last_name: "Doe",
    payout_email: "jane-money@example.com",
  });
  const referral = await trpc.referrals.create.mutate({
    affiliate_id: affiliate.id,
    email: "customer@example.com",
    processor_customer_id: "cus_1",
  });
  const commission = await trpc.commissions.create.mutate({
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 30,
    processor_payment_id: "pi_1",
  });
  return { organization, campaign, affiliate, referral, commission };
}

/** Another commission of the program's referral. */
export async function addCommission(
  { organization, referral }: Program,
  input: { revenue_amount?: number; commission_amount?: number; currency?: string } = {},
): Promise<Commission> {
  return await organization.trpc.commissions.create.mutate({
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 30,
    ...input,
  });
}

/** An adjustment of the program's affiliate; returns its id. */
export async function addAdjustment({ organization, affiliate }: Program): Promise<string> {
  const input = { affiliate_id: affiliate.id, amount: 10, reason: "Bonus" };
  return (await organization.trpc.adjustments.create.mutate(input)).id;
}

/** A conversion of the program's referral; returns its id. */
export async function addLead({ organization, referral }: Program): Promise<string> {
  const input = { kind: "webinar", referral_id: referral.id };
  return (await organization.trpc.conversions.create.mutate(input)).id;
}

export interface PayoutValues {
  affiliate_name: string;
  payout_email: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  payment_count: number;
  status: string;
  method: string;
}

/** Writes a payout of the program's affiliate directly to the database. Returns its id. */
export async function insertPayout(
  database: Database,
  { organization, affiliate }: Program,
  values: Partial<PayoutValues> = {},
): Promise<string> {
  const created_at = new Date();
  const id = newId(created_at);
  const payout = {
    organization_id: organization.organization_id,
    id,
    affiliate_id: affiliate.id,
    affiliate_name: "Jane Doe",
    payout_email: "jane-money@example.com",
    amount_minor: 3000n,
    currency: "USD",
    period: "2026-10",
    payment_count: 1,
    status: "pending",
    method: "manual",
    status_at: created_at,
    status_by: "test",
    created_at,
    ...values,
  };
  await withoutTriggers(database, (sql) => sql`insert into payouts ${sql(payout)}`);
  return id;
}

/** Adds a commission to a payout. */
export async function payCommission(
  database: Database,
  { organization: { organization_id }, affiliate, commission }: Program,
  { payout_id, payout_status }: { payout_id: string; payout_status: "pending" | "paid" },
): Promise<void> {
  const placed = { organization_id, affiliate_id: affiliate.id, commission_id: commission.id, payout_id };
  await withoutTriggers(database, async (sql) => {
    await sql`
      delete from unpaid_commissions
      where organization_id = ${organization_id} and commission_id = ${commission.id}`;
    await sql`insert into payout_commissions ${sql(placed)}`;
    await sql`
      update payouts set status = ${payout_status}
      where organization_id = ${organization_id} and id = ${payout_id}`;
  });
}

/** Creates a webhook endpoint of an organization, optionally disabled. Returns its id. */
export async function addEndpoint(
  database: Database,
  { organization_id }: { organization_id: string },
  { event_types = null, enabled = true }: { event_types?: EventType[] | null; enabled?: boolean } = {},
): Promise<string> {
  const policy = { secrets_key: Buffer.alloc(32), allow_http: false, allow_private: false };
  const url = "https://example.com/hooks";
  const organization = { id: organization_id, currency: "USD", subscription_status: "active" } as const;
  const { id: endpoint_id } = await createEndpoint(
    { database, organization, actor: OPERATOR, idempotency: null, notifyWorkers: () => {} },
    policy,
    { url, event_types, description: "" },
  );
  if (!enabled) {
    await database`
      update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'operator'
      where id = ${endpoint_id}`;
  }
  return endpoint_id;
}

/** An id that does not exist. */
export function unknownId(): string {
  return randomUUID();
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Every id anywhere in a response. */
export function idsIn(answer: unknown): Set<string> {
  return new Set(JSON.stringify(answer)?.match(ID) ?? []);
}

const TABLES = [
  "organizations",
  "campaigns",
  "affiliates",
  "affiliate_codes",
  "clicks",
  "referrals",
  "payouts",
  "commissions",
  "adjustments",
  "leads",
  "events",
  "endpoints",
  "endpoint_secrets",
  "deliveries",
  "idempotency_keys",
  "audit_log_entries",
] as const;

const STORED_ROWS = `${TABLES.map(
  (table) => `select '${table}' as "table", to_jsonb(stored)::text as row from ${table} stored`,
).join(" union all ")} order by 1, 2`;

/** Everything that the service has stored, by table, to check whether a request changed anything. */
export async function storedRows(database: Database): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = Object.fromEntries(TABLES.map((table) => [table, []]));
  const rows = await database.unsafe<{ table: string; row: string }[]>(STORED_ROWS, [], { prepare: true });
  for (const { table, row } of rows) tables[table]?.push(row);
  return tables;
}
