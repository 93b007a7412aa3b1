import { WAIT_FOR_PROMO_CODE } from "../affiliates/usable-codes.ts";
import type { PortalLanguage } from "../mails/language.ts";
import type { OrganizationRow } from "../organizations/organizations.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { AffiliateRow, CampaignRow } from "../rows.ts";
import { type ApplicationRow, type CodeLimits, isCodeWithinLimits, type NewPortalCode } from "./codes.ts";
import type { OwnAffiliate } from "./home.ts";

export interface NewApplication extends NewPortalCode {
  organization_id: string;
  campaign_id: string;
  application: ApplicationRow;
}

/**
 * The most mails to an address, and the most applications of an organization in an hour without an entered
 * code.
 */
export interface ApplicationLimits extends CodeLimits {
  organization_of_network: number;
  organization_of_all: number;
}

/** Both rows are inserted for known and unknown addresses alike: only the worker, which composes the mail, looks who has it. */
const INSERT = statement<
  { is_within_limit: boolean },
  Exclude<keyof NewApplication, "application"> | "application" | keyof ApplicationLimits
>(`
  with address as (
    select ${isCodeWithinLimits("other.organization_id is not null")} as is_free
  ), organization as (
    select count(*) < :organization_of_all::int
      and count(*) filter (where network_hash = :network_hash::bytea) < :organization_of_network::int as is_free
    from (
      select network_hash from portal_codes
      where organization_id = :organization_id::uuid and used_at is null
        and created_at > :created_at::timestamptz - interval '1 hour'
      order by created_at desc limit :organization_of_all::int
    ) as unconfirmed
  ), code as (
    insert into portal_codes
      (id, email, limited_to, browser_hash, link_hash, network_hash, mailed, created_at, expires_at, organization_id,
        campaign_id, application)
    select :id::uuid, :email::text, :limited_to::uuid, :browser_hash::bytea, :link_hash::bytea, :network_hash::bytea,
      address.is_free, :created_at::timestamptz, :expires_at::timestamptz, :organization_id::uuid, :campaign_id::uuid,
      case when address.is_free then :application::text::jsonb end
    from address cross join organization
    where organization.is_free
    returning id, email, mailed
  ), mail as (
    insert into mails (organization_id, kind, about, recipient)
    select :organization_id::uuid, 'portal_code', id::text, email from code where mailed
  )
  select is_free as is_within_limit from organization`);

/**
 * Inserts a code with an application, and its mail. Beyond the limits of the address it inserts the code alone, which nothing
 * shows. False: beyond the organization's limits; nothing was inserted.
 */
export async function insertApplication(
  sql: Connection,
  { application, ...code }: NewApplication,
  limits: ApplicationLimits,
): Promise<boolean> {
  const [row] = await INSERT.run(sql, { ...code, ...limits, application: JSON.stringify(application) });
  return row?.is_within_limit === true;
}

/** The program of an application, when its code is entered. */
export interface JoinedProgramRow extends Pick<OrganizationRow, "currency" | "subscription_status"> {
  terms_url: string | null;
  joining: CampaignRow["joining"];
  /** The affiliate of the campaign with the address; null: there is none. */
  affiliate_id: string | null;
}

const JOINED = statement<JoinedProgramRow, "organization_id" | "campaign_id" | "email">(`
  select organization.currency, organization.subscription_status, organization.terms_url, campaign.joining,
    affiliate.id as affiliate_id
  from organizations organization
  join campaigns campaign on campaign.organization_id = organization.id and campaign.id = :campaign_id::uuid
  left join affiliates affiliate on affiliate.organization_id = organization.id
    and affiliate.campaign_id = campaign.id and lower(affiliate.email) = :email::text
  where organization.id = :organization_id::uuid`);

/** Returns the program that an application is for. */
export async function findJoinedProgram(
  sql: Transaction,
  named: { organization_id: string; campaign_id: string; email: string },
): Promise<JoinedProgramRow | null> {
  const [row] = await JOINED.run(sql, named);
  return row ?? null;
}

const SET_LANGUAGE = statement<object, "email" | "language">(`
  insert into portal_accounts (email, language) values (:email::text, :language::text)
  on conflict (email) do update set language = excluded.language`);

/** Stores the language that the person with a proven address chose. */
export async function setPortalLanguage(
  sql: Connection,
  chosen: { email: string; language: PortalLanguage },
): Promise<void> {
  await SET_LANGUAGE.run(sql, chosen);
}

const SET_LANGUAGE_OF_ONE = statement<object, "email" | "language" | "organization_id">(`
  insert into portal_accounts (email, language)
  select :email::text, :language::text where not exists (
    select from affiliates
    where lower(email) = :email::text and organization_id <> :organization_id::uuid and erased_at is null)
  on conflict (email) do update set language = excluded.language`);

/** The same in a session that sees the programs of one organization; nothing, if the address has programs of others. */
export async function setLanguageOfOneOrganization(
  sql: Connection,
  chosen: { email: string; language: PortalLanguage; organization_id: string },
): Promise<void> {
  await SET_LANGUAGE_OF_ONE.run(sql, chosen);
}

const LANGUAGE = statement<{ language: PortalLanguage }, "email">(`
  select language from portal_accounts where email = :email::text`);

/** Returns the language that a person chose; null: none. */
export async function findPortalLanguage(sql: Connection, email: string): Promise<PortalLanguage | null> {
  const [row] = await LANGUAGE.run(sql, { email });
  return row?.language ?? null;
}

const APPROVED = statement<object, "organization_id" | "affiliate_id">(`
  insert into mails (organization_id, kind, about, affiliate_id, due_at)
  select organization_id, 'affiliate_approved', id::text || ' ' || now()::text, id, now() + ${WAIT_FOR_PROMO_CODE}
  from affiliates affiliate where organization_id = :organization_id::uuid and id = :affiliate_id::uuid`);

/** Writes the mail to an approved affiliate, which may have had one before: a welcome, or, if it has not agreed, an invitation. */
export async function insertApprovedMail(
  sql: Transaction,
  organizationId: string,
  affiliateId: string,
): Promise<void> {
  await APPROVED.run(sql, { organization_id: organizationId, affiliate_id: affiliateId });
}

const UPDATE_APPLICATION = statement<
  object,
  keyof OwnAffiliate | "first_name" | "last_name" | "details" | "custom_fields"
>(`
  update affiliates set first_name = :first_name::text, last_name = :last_name::text, details = :details::text,
    custom_fields = :custom_fields::text::jsonb
  where organization_id = :organization_id::uuid and id = :affiliate_id::uuid`);

/** Replaces the application of an affiliate, which the caller has locked. */
export async function updateApplication(
  sql: Transaction,
  own: OwnAffiliate,
  values: Pick<AffiliateRow, "first_name" | "last_name" | "details" | "custom_fields">,
): Promise<void> {
  const custom_fields = JSON.stringify(values.custom_fields);
  await UPDATE_APPLICATION.run(sql, { ...own, ...values, custom_fields });
}
