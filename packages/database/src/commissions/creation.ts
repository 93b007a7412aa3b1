import { CLAIM_IDEMPOTENCY_KEYS, type NewAnswer } from "../idempotency-keys.ts";
import { postEarned } from "../ledger/postings.ts";
import { HOLD } from "../organizations/settings.ts";
import type { Connection } from "../postgres/connect.ts";
import { rowArrays, statement } from "../postgres/statement.ts";
import { noteWritten } from "../postgres/written.ts";
import { eventsAndDeliveries, eventsWithDeliveries, type NewEvent } from "../webhooks/events.ts";
import type { CommissionValues } from "./commissions.ts";

export interface NewCommission extends Omit<CommissionValues, "payout_status"> {
  id: string;
  affiliate_id: string;
  referral_id: string;
  currency: string;
  created_at: Date;
  /** The actor or the payment that created the commission, for the ledger. */
  cause: string;
}

export interface CommissionCreation {
  commission: NewCommission;
  /** `commission.created`. */
  created: NewEvent;
  /** `referral.converted`, in case this is the referral's first commission; null if it already has one. */
  converted: NewEvent | null;
  /** Null: the request has no Idempotency-Key. */
  answer: NewAnswer | null;
}

const REQUESTS = rowArrays("request", {
  id: "uuid",
  affiliate_id: "uuid",
  referral_id: "uuid",
  revenue_minor: "bigint",
  commission_minor: "bigint",
  currency: "text",
  referral_date: "timestamptz",
  processor_payment_id: "text",
  created_at: "timestamptz",
  cause: "text",
  converts: "boolean",
  key: "text",
  request_hash: "bytea",
  response: "json",
});

const EVENTS = rowArrays("new_event", {
  id: "uuid",
  type: "text",
  body: "json",
  created_at: "timestamptz",
  traceparent: "text",
  commission_id: "uuid",
});

/**
 * Creates commissions of concurrent requests in one statement, each with its referral's conversion if it is the first
 * one, its events, their deliveries, and its idempotency key: one round trip and one commit for all of them.
 *
 * Rows are joined by both columns of their keys, never by a constant organization_id: the planner could otherwise
 * start with all referrals of the organization.
 */
function insertStatement(conversionsAndEvents: string, { named }: { named: boolean }) {
  return statement<
    { id: string; is_known: boolean },
    | "organization_id"
    | keyof ReturnType<typeof REQUESTS.values>
    | keyof ReturnType<typeof EVENTS.values>
    | "payment_keys"
    | "expired_before"
  >(`
  with ${named ? REQUESTS_OF_UNKNOWN_PAYMENTS : REQUESTS_WITHOUT_PAYMENTS},
  claim as (${CLAIM_IDEMPOTENCY_KEYS}),
  commission as (
    insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor,
      currency, referral_date, processor_payment_id, created_at, payable_at, cause)
    select request.organization_id, request.id, request.affiliate_id, referral_id, revenue_minor, commission_minor,
      currency, referral_date, processor_payment_id, request.created_at,
      referral_date + (select ${HOLD}), cause
    from request
    -- Instead of a foreign key: referrals are never deleted.
    join referrals referral
      on referral.organization_id = request.organization_id and referral.id = request.referral_id
    where key is null or key in (select key from claim)
    returning id, affiliate_id, currency, commission_minor, payable_at, created_at, review_state, cause,
      processor_payment_id
  ),
  ${named ? NAMES : ""}
  ${postEarned("commission")},
  ${conversionsAndEvents}
  select id, false as is_known from commission ${named ? "union all select id, true from known" : ""}`);
}

const RECEIVED = `select :organization_id::uuid as organization_id, request.* from ${REQUESTS.from}`;

const REQUESTS_WITHOUT_PAYMENTS = `request as (${RECEIVED})`;

/** A processor's report of a payment counts for its commission, which then takes a longer transaction. */
const REQUESTS_OF_UNKNOWN_PAYMENTS = `
  received as (${RECEIVED}),
  known as materialized (
    select id from received
    where processor_payment_id is not null and exists (
      select from customer_keys
      where organization_id = received.organization_id
        and key = any (array(select prefix || processor_payment_id from unnest(:payment_keys::text[]) as prefix)))
  ),
  request as (select * from received where id not in (select id from known))`;

/** Fails if another commission has the payment. */
const NAMES = `name as (
    insert into payment_names (organization_id, name, commission_id)
    select :organization_id::uuid, processor_payment_id, id from commission where processor_payment_id is not null
  ),`;

const EVENT = `select id, type, body, created_at, traceparent from ${EVENTS.from}`;

const CONVERSIONS_AND_EVENTS = `
  -- The first transaction to lock the referral creates its first commission: the condition on converted_at is
  -- evaluated again after the wait.
  converted as (
    update referrals referral set converted_at = first.created_at
    from (
      select distinct on (referral_id) organization_id, referral_id, id as commission_id, created_at
      from request
      where converts and id in (select id from commission)
      order by referral_id, id
    ) as first
    where referral.organization_id = first.organization_id and referral.id = first.referral_id
      and referral.converted_at is null
    returning first.commission_id
  ),
  ${eventsAndDeliveries(`${EVENT}
    where case type
      when 'referral.converted' then commission_id in (select commission_id from converted)
      when 'commission.created' then commission_id in (select id from commission)
      -- Fails with this text: an event of another type would otherwise be dropped.
      else ('no rule for the event ' || type)::boolean
    end`)}`;

/**
 * For creations that are never a referral's first, which is the usual case: 10 % less CPU for a single one.
 */
const EVENTS_ONLY = eventsWithDeliveries(`${EVENT} where commission_id in (select id from commission)`);

const INSERTS = {
  first: {
    named: insertStatement(CONVERSIONS_AND_EVENTS, { named: true }),
    plain: insertStatement(CONVERSIONS_AND_EVENTS, { named: false }),
  },
  later: {
    named: insertStatement(EVENTS_ONLY, { named: true }),
    plain: insertStatement(EVENTS_ONLY, { named: false }),
  },
};

export interface CreatedCommissions {
  created: Set<string>;
  /** Nothing was changed for these, because a processor reported their payments. */
  of_known_payments: Set<string>;
}

/**
 * Creates commissions with different idempotency keys. Those in neither set of the result had a key in use,
 * and nothing was changed for them. `payment_keys` are the beginnings of the keys in `customer_keys` that
 * name payments.
 *
 * @throws PostgresError a violation of `ONE_COMMISSION` if another commission has one of the payments
 */
export async function insertCommissions(
  sql: Connection,
  organizationId: string,
  {
    creations,
    expired_before,
    payment_keys,
  }: { creations: CommissionCreation[]; expired_before: Date; payment_keys: readonly string[] },
): Promise<CreatedCommissions> {
  const converts = creations.some(({ converted }) => converted !== null);
  const names = creations.some(({ commission }) => commission.processor_payment_id !== null);
  const rows = await INSERTS[converts ? "first" : "later"][names ? "named" : "plain"].run(sql, {
    organization_id: organizationId,
    ...REQUESTS.values(creations.map(requestOf)),
    ...EVENTS.values(creations.flatMap(eventsOf)),
    payment_keys: [...payment_keys],
    expired_before,
  });
  const idsOf = (known: boolean) =>
    new Set(rows.flatMap(({ id, is_known }) => (is_known === known ? id : [])));
  const created = idsOf(false);
  const events = creations.flatMap(({ commission, created: event }) =>
    created.has(commission.id) ? event.id : [],
  );
  noteWritten(sql, organizationId, events);
  return { created, of_known_payments: idsOf(true) };
}

function requestOf({ commission, converted, answer }: CommissionCreation) {
  return {
    ...commission,
    converts: converted !== null,
    key: answer?.key ?? null,
    request_hash: answer && `\\x${answer.request_hash.toString("hex")}`,
    response: answer?.response ?? null,
  };
}

function eventsOf({ commission, created, converted }: CommissionCreation) {
  const events = converted === null ? [created] : [created, converted];
  return events.map((event) => ({ traceparent: null, ...event, commission_id: commission.id }));
}
