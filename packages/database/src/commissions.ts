import type { Connection } from "./connect.ts";
import { type EventsParameter, eventsAndDeliveries, eventsParameters, type NewEvent } from "./events.ts";
import { type AnswerParameter, CLAIM_IDEMPOTENCY_KEY, type NewAnswer } from "./idempotency-keys.ts";
import type { PageRange } from "./pages.ts";
import { commissionReader } from "./readers.ts";
import type { CommissionRow } from "./rows.ts";
import { statement } from "./statement.ts";

export type CommissionValues = Pick<
  CommissionRow,
  "revenue_minor" | "commission_minor" | "payout_status" | "referral_date" | "processor_payment_id"
>;

export interface NewCommission extends CommissionValues {
  id: string;
  affiliate_id: string;
  referral_id: string;
  currency: string;
  created_at: Date;
}

export interface CommissionFilter {
  affiliate_id?: string | undefined;
  referral_id?: string | undefined;
  payout_status?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  /** Bounds of the ids that the two times allow: ids ascend with created_at, and only they are indexed. */
  from_id?: string | undefined;
  before_id?: string | undefined;
}

/** The commission with all that is nested in it. */
export const findCommission = commissionReader.find;

/** As `findCommission`; other changes of the row wait for this transaction. */
export const lockCommission = commissionReader.lock;

/** The commission of a payment; reversals do not count. */
export async function findCommissionByPayment(
  sql: Connection,
  organizationId: string,
  processorPaymentId: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from commissions
    where organization_id = ${organizationId} and processor_payment_id = ${processorPaymentId}
      and reversal_of is null`;
  return row?.id ?? null;
}

export async function listCommissions(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: CommissionFilter; range: PageRange },
): Promise<CommissionRow[]> {
  return await commissionReader.list(
    sql,
    sql`
    select * from commissions commission
    where ${conditions(sql, organizationId, filter)}
      ${range.below === null ? sql`` : sql`and commission.id < ${range.below}`}
    order by commission.id desc limit ${range.limit} offset ${range.offset}`,
  );
}

export async function countCommissions(
  sql: Connection,
  organizationId: string,
  filter: CommissionFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from commissions commission where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: CommissionFilter) {
  const { affiliate_id, referral_id, payout_status, created_after, created_before, from_id, before_id } =
    filter;
  return [
    sql`commission.organization_id = ${organizationId}`,
    affiliate_id === undefined ? sql`` : sql`and commission.affiliate_id = ${affiliate_id}`,
    referral_id === undefined ? sql`` : sql`and commission.referral_id = ${referral_id}`,
    payout_status === undefined ? sql`` : sql`and commission.payout_status = ${payout_status}`,
    created_after === undefined ? sql`` : sql`and commission.created_at >= ${created_after}`,
    created_before === undefined ? sql`` : sql`and commission.created_at < ${created_before}`,
    from_id === undefined ? sql`` : sql`and commission.id >= ${from_id}`,
    before_id === undefined ? sql`` : sql`and commission.id < ${before_id}`,
  ];
}

export interface CommissionCreation {
  commission: NewCommission;
  /** `commission.created`, and, in case this is the referral's first one, `referral.converted`. */
  events: NewEvent[];
  /** Whether the referral may still have to be marked as converted. */
  converts: boolean;
  /** Null: without an Idempotency-Key. */
  answer: NewAnswer | null;
}

type CommissionParameter =
  | Exclude<keyof NewCommission, "id">
  | "commission_id"
  | EventsParameter
  | AnswerParameter;

/**
 * The whole change in one statement, so that the hottest path costs one round trip: the commission, the
 * referral's conversion if this is its first one, the events, their deliveries, and the idempotency key.
 */
function insertion({ claims, converts }: { claims: boolean; converts: boolean }) {
  const claim = claims ? `claim as (${CLAIM_IDEMPOTENCY_KEY}),` : "";
  // A referral's first commission is decided by who gets this row's lock first: the update's condition is
  // evaluated again after the wait.
  const conversion = `converted as (
      update referrals set converted_at = :created_at::timestamptz
      where organization_id = :organization_id::uuid and id = :referral_id::uuid and converted_at is null
        and exists (select from commission)
      returning id
    ),`;
  const happened = converts
    ? `exists (select from commission)
        and (new_event.type <> 'referral.converted' or exists (select from converted))`
    : "exists (select from commission)";
  return statement<{ id: string }, CommissionParameter>(`
    with ${claim}
    commission as (
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor,
        currency, payout_status, referral_date, processor_payment_id, created_at)
      select :organization_id::uuid, :commission_id::uuid, :affiliate_id::uuid, :referral_id::uuid,
        :revenue_minor::bigint, :commission_minor::bigint, :currency::text, :payout_status::text,
        :referral_date::timestamptz, :processor_payment_id::text, :created_at::timestamptz
      ${claims ? "where exists (select from claim)" : ""}
      returning id
    ),
    ${converts ? conversion : ""}
    ${eventsAndDeliveries(happened)}
    select id from commission`);
}

const INSERTIONS = {
  claiming: {
    converting: insertion({ claims: true, converts: true }),
    converted: insertion({ claims: true, converts: false }),
  },
  plain: {
    converting: insertion({ claims: false, converts: true }),
    converted: insertion({ claims: false, converts: false }),
  },
};

/** Returns false, having changed nothing, if the idempotency key was not free. */
export async function insertCommission(
  sql: Connection,
  organizationId: string,
  { commission, events, converts, answer }: CommissionCreation,
): Promise<boolean> {
  const { id, ...values } = commission;
  const insertions = INSERTIONS[answer === null ? "plain" : "claiming"];
  const rows = await insertions[converts ? "converting" : "converted"].run(sql, {
    ...(answer ?? NO_ANSWER),
    ...eventsParameters(organizationId, { events, created_at: commission.created_at }),
    ...values,
    commission_id: id,
  });
  return rows.length === 1;
}

/** Stands for the parameters that a statement without a claim does not have. */
const NO_ANSWER = { key: null, request_hash: null, response: null, expired_before: null };

export async function updateCommission(
  sql: Connection,
  organizationId: string,
  { id, values }: { id: string; values: CommissionValues },
): Promise<void> {
  await sql`
    update commissions set ${sql(values as never)} where organization_id = ${organizationId} and id = ${id}`;
}
