import {
  lockPayoutStatuses,
  readPayoutStatuses,
  WRITTEN_COLUMNS,
  type WrittenCommission,
} from "../commissions/changes.ts";
import type { Connection } from "../postgres/connect.ts";
import { assignments, columnList, jsonRows } from "../postgres/json-rows.ts";
import { statement } from "../postgres/statement.ts";
import { noteWritten } from "../postgres/written.ts";
import type { ReferralRow } from "../rows.ts";
import { eventsAndDeliveries, type NewEvent } from "../webhooks/events.ts";
import type { PaymentDecisionRow } from "./decisions.ts";
import { LEAD_COLUMNS, type LeadRow } from "./leads.ts";

/*
 * Reads and writes of the attribution of customers' payments, in one transaction: each statement handles many
 * customers of one organization. Each search criterion is a select of its own: joined by `or` or `in`, they would not
 * all use their indexes.
 */

export interface AttributedReferralRow extends ReferralRow {
  affiliate_id: string;
  /** The affiliate before a person moved the customer to this one; null: nobody did. */
  moved_from: string | null;
  attributed_by: string | null;
  attributed_at: Date | null;
  processor_status: "active" | "trialing" | "past_due" | "canceled" | null;
  email_is_manual: boolean;
  customer_id_is_manual: boolean;
  replaced_at: Date | null;
  /** These, of the click that it is attributed to. */
  link_code: string | null;
  landing_url: string | null;
  referrer: string | null;
  sub_id: string | null;
  visitor_country: string | null;
  /** The latest one that a processor reported. */
  customer_country: string | null;
}

/** The click that a referral is attributed to. */
export type ReferralSource = Pick<
  AttributedReferralRow,
  "link_code" | "landing_url" | "referrer" | "sub_id" | "visitor_country"
>;

/** The columns of a row. The attribution reads and writes all of them. */
const REFERRAL_TYPES = {
  id: "uuid",
  email: "text",
  affiliate_id: "uuid",
  moved_from: "uuid",
  subscription_status: "text",
  signup_date: "timestamptz",
  processor_customer_id: "text",
  converted_at: "timestamptz",
  created_at: "timestamptz",
  attributed_by: "text",
  attributed_at: "timestamptz",
  processor_status: "text",
  email_is_manual: "boolean",
  customer_id_is_manual: "boolean",
  replaced_at: "timestamptz",
  link_code: "text",
  landing_url: "text",
  referrer: "text",
  sub_id: "text",
  visitor_country: "text",
  customer_country: "text",
} satisfies Record<keyof AttributedReferralRow, string>;

const REFERRAL = columnList(REFERRAL_TYPES);
const REFERRALS = jsonRows("referrals", "attributed", REFERRAL_TYPES);

/** Whether rows are only read, or also locked until the transaction ends. */
export interface ReadMode {
  lock: boolean;
}

type ReferralCriteria = "emails" | "customer_ids" | "attributed_by" | "ids";

const READ_REFERRALS = referralsStatement("");
const LOCK_REFERRALS = referralsStatement("for no key update");

function referralsStatement(lock: string) {
  return statement<AttributedReferralRow, "organization_id" | ReferralCriteria>(`
    with of_email as (
      select ${REFERRAL} from referrals
      where organization_id = :organization_id::uuid and lower(email) = any (:emails::text[])
        and replaced_at is null
      ${lock}
    ),
    of_customer as (
      select ${REFERRAL} from referrals
      where organization_id = :organization_id::uuid and processor_customer_id = any (:customer_ids::text[])
        and replaced_at is null
      ${lock}
    ),
    attributed as (
      select ${REFERRAL} from referrals
      where organization_id = :organization_id::uuid and attributed_by = any (:attributed_by::text[])
      ${lock}
    ),
    named as (
      select ${REFERRAL} from referrals
      where organization_id = :organization_id::uuid and id = any (:ids::uuid[])
      ${lock}
    )
    select * from of_email union select * from of_customer
    union select * from attributed union select * from named`);
}

/** Finds the referrals that match some customers. Emails in lower case. */
export async function findCustomersReferrals(
  sql: Connection,
  organizationId: string,
  { lock, ...by }: Record<ReferralCriteria, string[]> & ReadMode,
): Promise<AttributedReferralRow[]> {
  const find = lock ? LOCK_REFERRALS : READ_REFERRALS;
  return await find.run(sql, { organization_id: organizationId, ...by });
}

export type AttributedCommissionRow = Omit<WrittenCommission, "cause">;

type CommissionCriteria = "referral_ids" | "ids";

const READ_COMMISSIONS = commissionsStatement("");
const LOCK_COMMISSIONS = commissionsStatement("for no key update");

function commissionsStatement(lock: string) {
  return statement<
    Omit<AttributedCommissionRow, "payout_status"> & { voided: boolean },
    "organization_id" | CommissionCriteria
  >(`
    with of_referral as (
      select ${WRITTEN_COLUMNS} from commissions
      where organization_id = :organization_id::uuid and referral_id = any (:referral_ids::uuid[])
        and recruit_commission_id is null
      ${lock}
    ),
    named as (
      select ${WRITTEN_COLUMNS} from commissions
      where organization_id = :organization_id::uuid and id = any (:ids::uuid[])
      ${lock}
    ),
    added as (
      select ${WRITTEN_COLUMNS} from commissions
      where organization_id = :organization_id::uuid and reversal_of = any (:ids::uuid[])
      ${lock}
    )
    select * from of_referral union select * from named union select * from added`);
}

/**
 * Finds the commissions of referrals and those with ids, and the later additions and reversals of the latter. Those for recruits
 * follow them, and are not among them.
 */
export async function findCustomersCommissions(
  sql: Connection,
  organizationId: string,
  { lock, ...by }: Record<CommissionCriteria, string[]> & ReadMode,
): Promise<AttributedCommissionRow[]> {
  const find = lock ? LOCK_COMMISSIONS : READ_COMMISSIONS;
  const rows = await find.run(sql, { organization_id: organizationId, ...by });
  return lock
    ? await lockPayoutStatuses(sql, organizationId, rows)
    : await readPayoutStatuses(sql, organizationId, rows);
}

const INSERT_REFERRALS = statement<object, "organization_id" | "referrals">(`
  insert into referrals (organization_id, ${REFERRAL})
  select :organization_id::uuid, ${REFERRAL}
  from ${REFERRALS}`);

/** Referrals that swap an email or a customer id would conflict midway: both are released first. */
const RELEASE_REFERRALS = statement<object, "organization_id" | "ids">(`
  update referrals set email = id || '@moving.invalid', processor_customer_id = null
  where organization_id = :organization_id::uuid and id = any (:ids::uuid[])`);

const UPDATE_REFERRALS = statement<object, "organization_id" | "referrals">(`
  update referrals referral
  set ${assignments("attributed", REFERRAL_TYPES, ["id", "created_at", "email_is_manual"])}
  from ${REFERRALS}
  where referral.organization_id = :organization_id::uuid and referral.id = attributed.id`);

const EVENT_TYPES = {
  id: "uuid",
  type: "text",
  body: "text",
  created_at: "timestamptz",
  traceparent: "text",
} satisfies Record<keyof NewEvent, string>;

const INSERT_EVENTS = statement<object, "organization_id" | "events">(`
  with ${eventsAndDeliveries(`
    select ${columnList(EVENT_TYPES)} from ${jsonRows("events", "new_event", EVENT_TYPES)}`)}
  select`);

/** The changes of customers' referrals. */
export interface ReferralChanges {
  new_referrals: AttributedReferralRow[];
  changed_referrals: AttributedReferralRow[];
  /** The changed referrals that get another email or customer id. */
  renamed_referral_ids: string[];
}

export async function writeReferralChanges(
  sql: Connection,
  organization_id: string,
  { new_referrals, changed_referrals, renamed_referral_ids }: ReferralChanges,
): Promise<void> {
  // Changed ones first: a new row may have a key that they release.
  if (renamed_referral_ids.length > 0) {
    await RELEASE_REFERRALS.run(sql, { organization_id, ids: renamed_referral_ids });
  }
  if (changed_referrals.length > 0) {
    await UPDATE_REFERRALS.run(sql, { organization_id, referrals: JSON.stringify(changed_referrals) });
  }
  if (new_referrals.length > 0) {
    await INSERT_REFERRALS.run(sql, { organization_id, referrals: JSON.stringify(new_referrals) });
  }
}

/** Writes events and their deliveries. */
export async function writeAttributionEvents(
  sql: Connection,
  organization_id: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await INSERT_EVENTS.run(sql, { organization_id, events: JSON.stringify(events) });
  noteWritten(
    sql,
    organization_id,
    events.map(({ id }) => id),
  );
}

export interface CorrectionRow {
  commission_id: string;
  revenue_minor: bigint | null;
  commission_minor: bigint | null;
  /** The refunded amount of the payment that the amounts take into account. */
  reversed_minor: bigint;
  amounts_at: Date | null;
  voided: boolean | null;
  voided_at: Date | null;
  referral_date: Date | null;
}

const FIND_CORRECTIONS = statement<CorrectionRow, "organization_id" | "commission_ids">(`
  select commission_id, revenue_minor, commission_minor, reversed_minor, amounts_at, voided, voided_at, referral_date
  from commission_corrections
  where organization_id = :organization_id::uuid and commission_id = any (:commission_ids::uuid[])`);

/** Returns the manual corrections of payments' commissions. */
export async function findCorrections(
  sql: Connection,
  organizationId: string,
  commissionIds: string[],
): Promise<CorrectionRow[]> {
  return await FIND_CORRECTIONS.run(sql, { organization_id: organizationId, commission_ids: commissionIds });
}

const UPSERT_CORRECTION = statement<object, "organization_id" | keyof CorrectionRow>(`
  insert into commission_corrections as known (organization_id, commission_id, revenue_minor, commission_minor,
    reversed_minor, amounts_at, voided, voided_at, referral_date)
  values (:organization_id::uuid, :commission_id::uuid, :revenue_minor::bigint, :commission_minor::bigint,
    :reversed_minor::bigint, :amounts_at::timestamptz, :voided::boolean, :voided_at::timestamptz,
    :referral_date::timestamptz)
  on conflict (organization_id, commission_id) do update
  set revenue_minor = coalesce(excluded.revenue_minor, known.revenue_minor),
    commission_minor = coalesce(excluded.commission_minor, known.commission_minor),
    reversed_minor = case when excluded.amounts_at is null then known.reversed_minor else excluded.reversed_minor end,
    amounts_at = coalesce(excluded.amounts_at, known.amounts_at),
    voided = coalesce(excluded.voided, known.voided),
    voided_at = coalesce(excluded.voided_at, known.voided_at),
    referral_date = coalesce(excluded.referral_date, known.referral_date)`);

/** Merges a correction into the earlier ones of the commission; omitted fields stay. */
export async function upsertCorrection(
  sql: Connection,
  organizationId: string,
  correction: CorrectionRow,
): Promise<void> {
  await UPSERT_CORRECTION.run(sql, { organization_id: organizationId, ...correction });
}

const WITHDRAW_VOID = statement<{ commission_id: string }, "organization_id" | "commission_id">(`
  update commission_corrections set voided = null, voided_at = null
  where organization_id = :organization_id::uuid and commission_id = :commission_id::uuid and voided
  returning commission_id`);

/** Takes back a person's void of a commission. False: there is none. */
export async function withdrawVoid(
  sql: Connection,
  organizationId: string,
  commissionId: string,
): Promise<boolean> {
  const rows = await WITHDRAW_VOID.run(sql, {
    organization_id: organizationId,
    commission_id: commissionId,
  });
  return rows.length > 0;
}

/** Returns the keys of referrals that match some customers' emails (in lower case) or ids. */
export async function findReferralKeys(
  sql: Connection,
  organizationId: string,
  by: { emails: string[]; customer_ids: string[] },
): Promise<{ email: string; processor_customer_id: string }[]> {
  return await FIND_REFERRAL_KEYS.run(sql, { organization_id: organizationId, ...by });
}

const FIND_REFERRAL_KEYS = statement<
  { email: string; processor_customer_id: string },
  "organization_id" | "emails" | "customer_ids"
>(`
  select email, processor_customer_id from referrals
  where organization_id = :organization_id::uuid and lower(email) = any (:emails::text[])
    and processor_customer_id is not null and replaced_at is null
  union select email, processor_customer_id from referrals
  where organization_id = :organization_id::uuid and processor_customer_id = any (:customer_ids::text[])
    and replaced_at is null`);

const LEAD_OF_COMMISSION = statement<LeadRow, "organization_id" | "commission_id">(`
  select ${LEAD_COLUMNS} from leads
  where organization_id = :organization_id::uuid and commission_id = :commission_id::uuid`);

/** Returns the lead that earned a commission; null: it is for a payment, or manual. */
export async function findCommissionsLead(
  sql: Connection,
  organizationId: string,
  commissionId: string,
): Promise<LeadRow | null> {
  const [row] = await LEAD_OF_COMMISSION.run(sql, {
    organization_id: organizationId,
    commission_id: commissionId,
  });
  return row ?? null;
}

/** The decision about the payment that created a commission, as far as edits of the commission depend on it. */
export type CommissionsPayment = Pick<
  PaymentDecisionRow,
  | "customer_id"
  | "payment_id"
  | "reversed_minor"
  | "taken_over_from"
  | "commission_id"
  | "manual_commission_id"
>;

/**
 * Returns the payment of a commission, or of the commission that it corrects: the payment created the
 * commission, or a manual commission names it. Null: none is known.
 */
export async function findCommissionsPayment(
  sql: Connection,
  organizationId: string,
  commissionId: string,
): Promise<CommissionsPayment | null> {
  const [row] = await sql<CommissionsPayment[]>`
    with original as materialized (
      select coalesce(reversal_of, id) as id from commissions
      where organization_id = ${organizationId} and id = ${commissionId}
    ),
    decision as (
      select * from payment_decisions
      where organization_id = ${organizationId} and commission_id = (select id from original)
      union all
      select * from payment_decisions
      where organization_id = ${organizationId} and manual_commission_id = (select id from original)
    )
    select customer_id, payment_id, reversed_minor, taken_over_from, commission_id, manual_commission_id
    from decision
    order by replaced_at is not null limit 1`;
  return row ?? null;
}
