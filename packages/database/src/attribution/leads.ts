import type { Connection } from "../postgres/connect.ts";
import { assignments, columnList, jsonRows } from "../postgres/json-rows.ts";
import { type PageRange, pageOf } from "../postgres/pages.ts";
import { statement } from "../postgres/statement.ts";

/** The terms that counted for an affiliate when it first had a lead. */
export interface LeadTermsRow {
  affiliate_id: string;
  campaign_id: string;
  /** Minor units, as text; null: the campaign pays nothing for this kind. */
  amount_minor: string | null;
  /** Why the lead earns nothing for this affiliate; null: it earns. */
  refusal: string | null;
}

/** A sign-up, a trial or a reported conversion of a referral, at most one of each kind. */
export interface LeadRow {
  id: string;
  referral_id: string;
  kind: string;
  /** The backend's own name of a conversion. */
  reference: string | null;
  occurred_at: Date;
  created_at: Date;
  /** The terms of each affiliate who ever had it. */
  terms: LeadTermsRow[];
  currency: string;
  outcome: string;
  affiliate_id: string;
  /** Also of a lead that no longer earns: void then, or reversed. */
  commission_id: string | null;
}

const TYPES = {
  id: "uuid",
  referral_id: "uuid",
  kind: "text",
  reference: "text",
  occurred_at: "timestamptz",
  created_at: "timestamptz",
  terms: "jsonb",
  currency: "text",
  outcome: "text",
  affiliate_id: "uuid",
  commission_id: "uuid",
} satisfies Record<keyof LeadRow, string>;

/** The columns of `LeadRow`. */
export const LEAD_COLUMNS = columnList(TYPES);

const FIND = statement<LeadRow, "organization_id" | "referral_ids">(`
  select ${LEAD_COLUMNS} from leads
  where organization_id = :organization_id::uuid and referral_id = any (:referral_ids::uuid[])
  order by occurred_at, id`);

/** Returns the leads of referrals, the earliest first. */
export async function findLeads(
  sql: Connection,
  organizationId: string,
  referralIds: string[],
): Promise<LeadRow[]> {
  return await FIND.run(sql, { organization_id: organizationId, referral_ids: referralIds });
}

const FIND_ONE = statement<LeadRow, "organization_id" | "id">(`
  select ${LEAD_COLUMNS} from leads where organization_id = :organization_id::uuid and id = :id::uuid`);

export async function findLead(sql: Connection, organizationId: string, id: string): Promise<LeadRow | null> {
  const [row] = await FIND_ONE.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

export interface LeadFilter {
  affiliate_id?: string | undefined;
  referral_id?: string | undefined;
  kind?: string | undefined;
  outcome?: string | undefined;
}

/** Returns a page of leads, those recorded last first. */
export async function listLeads(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: LeadFilter; range: PageRange },
): Promise<LeadRow[]> {
  return await sql<LeadRow[]>`${pageOf(sql, "lead", {
    chosen: sql`
      select ${sql.unsafe(LEAD_COLUMNS)} from leads lead
      where ${conditions(sql, organizationId, filter)}`,
    range,
  })}`;
}

export async function countLeads(
  sql: Connection,
  organizationId: string,
  filter: LeadFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from leads lead where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: LeadFilter) {
  const { affiliate_id, referral_id, kind, outcome } = filter;
  return [
    sql`lead.organization_id = ${organizationId}`,
    affiliate_id === undefined ? sql`` : sql`and lead.affiliate_id = ${affiliate_id}`,
    referral_id === undefined ? sql`` : sql`and lead.referral_id = ${referral_id}`,
    kind === undefined ? sql`` : sql`and lead.kind = ${kind}`,
    outcome === undefined ? sql`` : sql`and lead.outcome = ${outcome}`,
  ];
}

const COUNT = statement<
  { count: number },
  "organization_id" | "affiliate_id" | "kind" | "since" | "until" | "most" | "except"
>(`
  select count(*)::int as count from (
    select from leads
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and kind = :kind::text
      and outcome = 'commission' and occurred_at >= :since::timestamptz and occurred_at < :until::timestamptz
      and id <> all (:except::uuid[])
    limit :most::int
  ) as earned`);

/** Counts the leads of a kind that earn for an affiliate in a period, without some, at most `most`. */
export async function countEarnedLeads(
  sql: Connection,
  organizationId: string,
  period: {
    affiliate_id: string;
    kind: string;
    since: Date;
    until: Date;
    most: number;
    /** The ids of those that do not count. */
    except: string[];
  },
): Promise<number> {
  const [row] = await COUNT.run(sql, { organization_id: organizationId, ...period });
  return row?.count ?? 0;
}

const UPSERT = statement<object, "organization_id" | "leads">(`
  insert into leads as known (organization_id, ${LEAD_COLUMNS})
  select :organization_id::uuid, ${LEAD_COLUMNS} from ${jsonRows("leads", "written", TYPES)}
  on conflict (organization_id, id) do update
  set ${assignments("excluded", TYPES, ["id", "referral_id", "kind", "reference", "created_at", "currency"])}`);

/** Writes new and changed leads. Fails if a referral has another lead of the same kind (`leads_referral_kind`). */
export async function upsertLeads(
  sql: Connection,
  organizationId: string,
  leads: readonly LeadRow[],
): Promise<void> {
  if (leads.length === 0) return;
  await UPSERT.run(sql, { organization_id: organizationId, leads: JSON.stringify(leads) });
}
