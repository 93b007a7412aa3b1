import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/*
 * Promo codes that customers can use. At Stripe, a code works once it exists there. An organization that only another processor's
 * messages reach makes its codes there itself, and nobody reports them.
 */

const connectedTo = (organization_id: string, name: "stripe" | "generic") =>
  `exists (select from processors where processors.organization_id = ${organization_id} and processors.name = '${name}')`;

/** SQL: whether an organization makes its promo codes at another processor than Stripe. */
export const makesOwnCodes = (organization_id: string) =>
  `(${connectedTo(organization_id, "generic")} and not ${connectedTo(organization_id, "stripe")})`;

/** SQL: whether customers can use a promo `code`. */
export const IS_USABLE = `(
    code.external_id is not null and lower(coalesce(code.external_code, code.code)) = lower(code.code)
    or ${makesOwnCodes("code.organization_id")})`;

const UNUSABLE = statement<{ code: string }, "organization_id" | "affiliate_id">(`
  select code from affiliate_codes code
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and kind = 'promo'
    and replaced_at is null and not ${IS_USABLE}`);

/** Returns the affiliate's promo codes that customers cannot use yet. */
export async function findUnusablePromoCodes(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<string[]> {
  const rows = await UNUSABLE.run(sql, { organization_id: organizationId, affiliate_id: affiliateId });
  return rows.map(({ code }) => code);
}

/**
 * SQL: how long the mail to an approved `affiliate` waits, so that it has the promo code that a worker is about to create. Once the
 * code exists, the mail is due at once.
 */
export const WAIT_FOR_PROMO_CODE = `case when affiliate.agreed_at is not null and exists (
      select from affiliate_codes code
      join campaigns campaign
        on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
          and campaign.code_mode <> 'link'
      join processors stripe
        on stripe.organization_id = affiliate.organization_id and stripe.name = 'stripe'
          and stripe.api_key_last_four is not null
      where code.organization_id = affiliate.organization_id and code.affiliate_id = affiliate.id
        and code.kind = 'promo' and code.due_at is not null and code.failures = 0
    ) then interval '1 minute' else interval '0' end`;

/**
 * SQL after the common table expression `ready` (organization_id, id, external_id, affiliate_id) of codes
 * that customers can use from now on. It notifies their affiliates: by the mail about their approval if it
 * waits for the code, else by a mail about the code.
 */
export const MAILS_ABOUT_READY = `hurried as (
      update mails set due_at = now()
      from ready
      where mails.organization_id = ready.organization_id and mails.kind = 'affiliate_approved'
        and mails.affiliate_id = ready.affiliate_id and mails.due_at > now() and not mails.awaits_quota
      returning mails.affiliate_id
    ),
    mail as (
      insert into mails (organization_id, kind, about, affiliate_id)
      select affiliate.organization_id, 'promo_code_ready', ready.id || ' ' || ready.external_id, affiliate.id
      from ready
      join affiliates affiliate
        on affiliate.organization_id = ready.organization_id and affiliate.id = ready.affiliate_id
          and affiliate.approved and not affiliate.banned and affiliate.agreed_at is not null
      join campaigns campaign
        on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
          and campaign.code_mode <> 'link'
      where affiliate.id not in (select affiliate_id from hurried)
      on conflict (organization_id, kind, about, recipient) do nothing
    )`;
