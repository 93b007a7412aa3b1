import { MAILS_ABOUT_READY, makesOwnCodes } from "../affiliates/usable-codes.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { type Fence, OWNS_SHARD } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";

/** An affiliate's promo code, and the state of its promotion code at the processor. */
export interface PromoCodeRow {
  id: string;
  affiliate_id: string;
  code: string;
  external_id: string | null;
  external_code: string | null;
  external_coupon: string | null;
  external_linked: boolean;
  due_at: Date | null;
  failures: number;
  reason: string | null;
  /** The coupon of its campaign; null: the campaign has no promo codes. */
  coupon: string | null;
  /** Whether the organization has stored an API key of Stripe, which creates codes. */
  has_key: boolean;
  /** Whether the organization makes its codes at another processor. */
  is_own: boolean;
}

export interface PromoCodeListRow extends PromoCodeRow {
  affiliate_email: string;
}

const COLUMNS = `code.id, code.affiliate_id, code.code, code.external_id, code.external_code, code.external_coupon,
  code.external_linked, code.due_at, code.failures, code.reason,
  case when campaign.code_mode <> 'link' then campaign.reference_coupon end as coupon,
  exists (
    select from processors stripe
    where stripe.organization_id = code.organization_id and stripe.name = 'stripe' and stripe.api_key_last_four is not null
  ) as has_key,
  ${makesOwnCodes("code.organization_id")} as is_own`;

const CAMPAIGN = `join affiliates affiliate
    on affiliate.organization_id = code.organization_id and affiliate.id = code.affiliate_id
  join campaigns campaign
    on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id`;

export interface DuePromoCode extends PromoCodeRow {
  /** The same one until an answer came. */
  external_request_id: string;
}

const READ_DUE = statement<DuePromoCode, "organization_id" | "limit" | Fence>(`
  with code as (
    update affiliate_codes set external_request_id = coalesce(external_request_id, gen_random_uuid())
    where organization_id = :organization_id::uuid and ${OWNS_SHARD} and id in (
      select id from affiliate_codes
      where organization_id = :organization_id::uuid and due_at <= now()
      order by due_at limit :limit::int)
    returning *
  )
  select ${COLUMNS}, code.external_request_id from code ${CAMPAIGN} order by code.id`);

/**
 * Promo codes that the processor should have and may not have, longest due first; none without the organization's shard.
 * Each gets the id of the request that makes it.
 */
export function readDuePromoCodes(
  sql: Connection,
  organizationId: string,
  { owner, limit }: { owner: ShardOwner; limit: number },
): Promise<DuePromoCode[]> {
  return READ_DUE.run(sql, { organization_id: organizationId, limit, ...owner });
}

/** The processor's promotion code for an affiliate's promo code. */
export interface ExternalCode {
  external_id: string;
  external_code: string;
  external_coupon: string | null;
  external_linked: boolean;
}

/**
 * Records that the processor has the code. If the code's text has changed since the request, the code stays due. Does not
 * check the shard: any worker may record a fact about the processor.
 */
export async function recordExternalCode(
  sql: Connection,
  organizationId: string,
  { id, code, external }: { id: string; code: string; external: ExternalCode },
): Promise<void> {
  await sql`
    with former as (
      select external_id, external_code, code from affiliate_codes
      where organization_id = ${organizationId} and id = ${id}
    ),
    recorded as (
      update affiliate_codes set ${sql({ ...external })}, reason = null, failures = 0,
        external_request_id = null, due_at = case when code = ${code} then null else now() end
      where organization_id = ${organizationId} and id = ${id}
      returning organization_id, id, external_id, affiliate_id, created_at, code
    ),
    ready as (
      select recorded.* from recorded cross join former
      where recorded.code = ${code}
        and (former.external_id is null or lower(former.external_code) <> lower(recorded.code))
    ),
    ${sql.unsafe(MAILS_ABOUT_READY)}
    insert into promotion_codes (organization_id, external_id, affiliate_id, created_at)
    select organization_id, external_id, affiliate_id, created_at from recorded
    on conflict (organization_id, external_id) do update
    set affiliate_id = excluded.affiliate_id, created_at = excluded.created_at`;
}

const SKIP = statement<object, "organization_id" | "id" | Fence>(`
  update affiliate_codes set due_at = null, external_request_id = null, reason = null, failures = 0
  where organization_id = :organization_id::uuid and id = :id::uuid and ${OWNS_SHARD}`);

/** Records that the processor has the code, or does not need it. */
export async function skipPromoCode(
  sql: Connection,
  organizationId: string,
  { id, owner }: { id: string; owner: ShardOwner },
): Promise<void> {
  await SKIP.run(sql, { organization_id: organizationId, id, ...owner });
}

const POSTPONE = statement<
  object,
  "organization_id" | "id" | "code" | "reason" | "seconds" | "answered" | Fence
>(`
  update affiliate_codes set failures = failures + 1, reason = :reason::text,
    external_request_id = case when not :answered::boolean then external_request_id end,
    due_at = case when code <> :code::text then now() else now() + make_interval(secs => :seconds::float8) end
  where organization_id = :organization_id::uuid and id = :id::uuid and ${OWNS_SHARD}`);

/**
 * Records a failed attempt; the code is due again after `seconds`, or only when staff retry it (null). The next request
 * is another one if this one was answered. If the code has changed since the request, it stays due.
 */
export async function postponePromoCode(
  sql: Connection,
  organizationId: string,
  { id, code }: Pick<PromoCodeRow, "id" | "code">,
  retry: { owner: ShardOwner; seconds: number | null; reason: string; answered: boolean },
): Promise<void> {
  const { owner, ...failure } = retry;
  await POSTPONE.run(sql, { organization_id: organizationId, id, code, ...failure, ...owner });
}

/** Makes all promo codes of a campaign due, because its coupon or its code mode has changed. */
export async function makeCampaignCodesDue(
  sql: Connection,
  organizationId: string,
  campaign_id: string,
): Promise<void> {
  await sql`
    update affiliate_codes code set due_at = now(), external_request_id = null, failures = 0
    from affiliates affiliate
    where code.organization_id = ${organizationId} and code.kind = 'promo'
      and affiliate.organization_id = ${organizationId} and affiliate.id = code.affiliate_id
      and affiliate.campaign_id = ${campaign_id}`;
}

/** Makes an organization's promo codes due that are missing at the processor, now that it can be called. */
export async function makeMissingCodesDue(sql: Connection, organizationId: string): Promise<void> {
  await sql`
    update affiliate_codes set due_at = now(), external_request_id = null, failures = 0
    where organization_id = ${organizationId} and kind = 'promo'
      and (external_id is null or reason is not null)`;
}

/** Makes an affiliate's promo codes due; returns their number. */
export async function makeAffiliateCodesDue(
  sql: Connection,
  organizationId: string,
  affiliate_id: string,
): Promise<number> {
  const result = await sql`
    update affiliate_codes set due_at = now(), failures = 0, external_request_id = null
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and kind = 'promo'`;
  return result.count;
}

/** Returns an affiliate's promo code (the first of several), locked; null when it has none. */
export async function lockPromoCode(
  sql: Connection,
  organizationId: string,
  affiliate_id: string,
): Promise<PromoCodeRow | null> {
  const [row] = await sql.unsafe<PromoCodeRow[]>(
    `select ${COLUMNS} from affiliate_codes code ${CAMPAIGN}
    where code.organization_id = $1 and code.affiliate_id = $2 and code.kind = 'promo'
    order by code.id limit 1 for no key update of code`,
    [organizationId, affiliate_id],
  );
  return row ?? null;
}

/** Returns promo codes, newest first: of one affiliate, or those that failed, or all. */
export async function listPromoCodes(
  sql: Connection,
  organizationId: string,
  {
    affiliate_id,
    failed,
    below,
    limit,
  }: { affiliate_id: string | null; failed: boolean; below: string | null; limit: number },
): Promise<PromoCodeListRow[]> {
  return await sql<PromoCodeListRow[]>`
    select ${sql.unsafe(COLUMNS)}, affiliate.email as affiliate_email
    from affiliate_codes code ${sql.unsafe(CAMPAIGN)}
    where code.organization_id = ${organizationId} and code.kind = 'promo'
      ${affiliate_id === null ? sql`` : sql`and code.affiliate_id = ${affiliate_id}`}
      ${failed ? sql`and code.reason is not null` : sql``}
      ${below === null ? sql`` : sql`and code.id < ${below}`}
    order by code.id desc limit ${limit}`;
}

/** A promotion code that the processor reported. */
export interface ReportedPromoCode {
  external_id: string;
  code: string;
  coupon: string;
}

/**
 * Links a promotion code of the processor to the affiliate that has a promo code with its text, if the affiliate's
 * campaign uses its coupon and the promotion code is not linked yet. An affiliate may have several.
 * False: no affiliate matches, or the promotion code was linked already.
 */
export async function linkReportedPromoCode(
  sql: Connection,
  organizationId: string,
  { external_id, code, coupon }: ReportedPromoCode,
): Promise<boolean> {
  const rows = await sql`
    with own as (
      select code.id, code.affiliate_id, code.created_at from affiliate_codes code
      join affiliates affiliate
        on affiliate.organization_id = code.organization_id and affiliate.id = code.affiliate_id
      join campaigns campaign
        on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
      where code.organization_id = ${organizationId} and code.kind = 'promo' and lower(code.code) = lower(${code})
        and campaign.code_mode <> 'link' and campaign.reference_coupon = ${coupon}
    ),
    linked as (
      update affiliate_codes set external_id = ${external_id}, external_code = ${code},
        external_coupon = ${coupon}, external_linked = true, due_at = null, reason = null,
        failures = 0, external_request_id = null
      from own
      where organization_id = ${organizationId} and affiliate_codes.id = own.id and external_id is null
      returning organization_id, affiliate_codes.id, external_id, affiliate_codes.affiliate_id
    ),
    ready as (select * from linked),
    ${sql.unsafe(MAILS_ABOUT_READY)}
    insert into promotion_codes (organization_id, external_id, affiliate_id, created_at)
    select ${organizationId}, ${external_id}, affiliate_id, created_at from own
    on conflict (organization_id, external_id) do nothing
    returning affiliate_id`;
  return rows.length > 0;
}
