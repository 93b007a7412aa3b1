import type { Connection } from "../postgres/connect.ts";
import { assignments, columnList, jsonRows } from "../postgres/json-rows.ts";
import type { PageRange } from "../postgres/pages.ts";
import { statement } from "../postgres/statement.ts";

export interface PaymentDecisionRow {
  id: string;
  processor: string;
  payment_id: string;
  customer_id: string;
  outcome: string;
  referral_id: string | null;
  affiliate_id: string | null;
  commission_id: string | null;
  currency: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  paid_minor: bigint;
  reversed_minor: bigint;
  paid_at: Date;
  explanation: unknown;
  created_at: Date;
  decided_at: Date;
  /** The time since which the payment counts as part of another one; null: the decision is in force. */
  replaced_at: Date | null;
  /** The payment that the decision was made for before this payment took it over; null: not taken over. */
  taken_over_from: string | null;
  /** The manual commission that has the payment's place; null: none. */
  manual_commission_id: string | null;
}

/** A decision with its explanation as stored text, for comparison. */
export type StoredDecision = Omit<PaymentDecisionRow, "explanation"> & { explanation: string };

const TYPES = {
  id: "uuid",
  processor: "text",
  payment_id: "text",
  customer_id: "uuid",
  outcome: "text",
  referral_id: "uuid",
  affiliate_id: "uuid",
  commission_id: "uuid",
  currency: "text",
  revenue_minor: "bigint",
  commission_minor: "bigint",
  paid_minor: "bigint",
  reversed_minor: "bigint",
  paid_at: "timestamptz",
  replaced_at: "timestamptz",
  taken_over_from: "text",
  manual_commission_id: "uuid",
} satisfies Record<Exclude<keyof PaymentDecisionRow, "explanation" | "created_at" | "decided_at">, string>;

const COLUMNS = columnList(TYPES);

const OF_CUSTOMERS = statement<StoredDecision, "organization_id" | "customer_ids">(`
  select ${COLUMNS}, explanation::text as explanation, created_at, decided_at from payment_decisions
  where organization_id = :organization_id::uuid and customer_id = any (:customer_ids::uuid[])`);

/** Returns the decisions about some customers' payments. */
export async function listCustomersDecisions(
  sql: Connection,
  organizationId: string,
  customerIds: string[],
): Promise<StoredDecision[]> {
  return await OF_CUSTOMERS.run(sql, { organization_id: organizationId, customer_ids: customerIds });
}

/** The decision about the payment that a commission is of. */
export type CommissionsDecision = Pick<
  PaymentDecisionRow,
  "id" | "customer_id" | "processor" | "payment_id" | "paid_minor" | "reversed_minor"
> & {
  of_id: string;
  /** Whether a person created the commission, for the payment. */
  is_manual: boolean;
};

const COMMISSIONS_DECISIONS = statement<CommissionsDecision, "organization_id" | "commission_ids">(`
  select commission.id as of_id, decision.* from unnest(:commission_ids::uuid[]) as commission (id)
  cross join lateral (
    (select id, customer_id, processor, payment_id, paid_minor, reversed_minor, false as is_manual
      from payment_decisions
      where organization_id = :organization_id::uuid and commission_id = commission.id
      limit 1)
    union all
    (select id, customer_id, processor, payment_id, paid_minor, reversed_minor, true
      from payment_decisions
      where organization_id = :organization_id::uuid and manual_commission_id = commission.id and replaced_at is null)
  ) as decision`);

/** Returns the decisions about commissions' payments, as they are now. A manual commission may have none. */
export async function findCommissionsDecisions(
  sql: Connection,
  organizationId: string,
  commissionIds: string[],
): Promise<CommissionsDecision[]> {
  if (commissionIds.length === 0) return [];
  return await COMMISSIONS_DECISIONS.run(sql, {
    organization_id: organizationId,
    commission_ids: commissionIds,
  });
}

const UPSERT = statement<object, "organization_id" | "decisions">(`
  insert into payment_decisions (organization_id, ${COLUMNS}, explanation, created_at, decided_at)
  select :organization_id::uuid, ${COLUMNS}, explanation::json, created_at, decided_at
  from ${jsonRows("decisions", "decided", {
    ...TYPES,
    explanation: "text",
    created_at: "timestamptz",
    decided_at: "timestamptz",
  })}
  on conflict (organization_id, id) do update
  set ${assignments("excluded", TYPES, ["id", "processor", "customer_id"])},
    explanation = excluded.explanation, decided_at = excluded.decided_at`);

/**
 * Writes new and changed decisions in the given order: a decision may take the payment id that an earlier one
 * releases.
 */
export async function upsertPaymentDecisions(
  sql: Connection,
  organizationId: string,
  decisions: readonly StoredDecision[],
): Promise<void> {
  const rows = decisions.map((decision) => ({
    ...decision,
    revenue_minor: String(decision.revenue_minor),
    commission_minor: String(decision.commission_minor),
    paid_minor: String(decision.paid_minor),
    reversed_minor: String(decision.reversed_minor),
  }));
  await UPSERT.run(sql, { organization_id: organizationId, decisions: JSON.stringify(rows) });
}

/** A decision in the list of those that a message led to. */
export type DecisionSummaryRow = Pick<
  PaymentDecisionRow,
  | "id"
  | "payment_id"
  | "outcome"
  | "paid_at"
  | "currency"
  | "revenue_minor"
  | "commission_minor"
  | "commission_id"
>;

/**
 * Returns the decisions about some customers' payments, the latest payments first. `null` returns all their
 * payments.
 */
export async function listDecisionSummaries(
  sql: Connection,
  organizationId: string,
  {
    customer_ids,
    payments,
    limit,
  }: {
    customer_ids: readonly string[];
    /** `stripe:payment:in_1` */
    payments: readonly string[] | null;
    limit: number;
  },
): Promise<DecisionSummaryRow[]> {
  return await sql<DecisionSummaryRow[]>`
    select id, payment_id, outcome, paid_at, currency, revenue_minor, commission_minor, commission_id
    from payment_decisions
    where organization_id = ${organizationId} and customer_id = any (${[...customer_ids]}::uuid[])
      and replaced_at is null
      ${payments === null ? sql`` : sql`and processor || ':payment:' || payment_id = any (${[...payments]}::text[])`}
    order by paid_at desc, id desc limit ${limit}`;
}

export interface DecisionFilter {
  outcome?: string | undefined;
  affiliate_id?: string | undefined;
  referral_id?: string | undefined;
  processor_payment_id?: string | undefined;
}

export async function listPaymentDecisions(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: DecisionFilter; range: PageRange },
): Promise<PaymentDecisionRow[]> {
  return await sql<PaymentDecisionRow[]>`
    select ${sql.unsafe(COLUMNS)}, explanation, created_at, decided_at from payment_decisions decision
    where ${conditions(sql, organizationId, filter)}
      ${range.below === null ? sql`` : sql`and decision.id < ${range.below}`}
    order by decision.id desc limit ${range.limit} offset ${range.offset}`;
}

export async function countPaymentDecisions(
  sql: Connection,
  organizationId: string,
  filter: DecisionFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from payment_decisions decision where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: DecisionFilter) {
  const { outcome, affiliate_id, referral_id, processor_payment_id } = filter;
  return [
    sql`decision.organization_id = ${organizationId} and decision.replaced_at is null`,
    outcome === undefined ? sql`` : sql`and decision.outcome = ${outcome}`,
    affiliate_id === undefined ? sql`` : sql`and decision.affiliate_id = ${affiliate_id}`,
    referral_id === undefined ? sql`` : sql`and decision.referral_id = ${referral_id}`,
    processor_payment_id === undefined
      ? sql``
      : sql`and decision.processor in ('stripe', 'generic') and decision.payment_id = ${processor_payment_id}`,
  ];
}

export async function findPaymentDecision(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<PaymentDecisionRow | null> {
  const [row] = await sql<PaymentDecisionRow[]>`
    select ${sql.unsafe(COLUMNS)}, explanation, created_at, decided_at from payment_decisions
    where organization_id = ${organizationId} and id = ${id} and replaced_at is null`;
  return row ?? null;
}

/** Returns the decisions among these that exist, newest first. */
export async function findPaymentDecisions(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<PaymentDecisionRow[]> {
  return await sql<PaymentDecisionRow[]>`
    select ${sql.unsafe(COLUMNS)}, explanation, created_at, decided_at from payment_decisions
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) and replaced_at is null
    order by id desc`;
}
