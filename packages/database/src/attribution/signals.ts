import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** An affiliate who is paid at the same email as others. */
export interface SharedPayoutEmail {
  affiliate_id: string;
  /** The number of others, up to a limit. */
  others: number;
  /** The first of them. */
  first: string;
}

/** A person in several campaigns is one affiliate in each, with the same email: these do not count. */
const FIND_SHARED = statement<SharedPayoutEmail, "organization_id" | "affiliate_ids" | "most">(`
  select affiliate.id as affiliate_id, count(*)::int as others, min(other.id::text) as first
  from (
    select organization_id, id, email, lower(coalesce(payout_email, email)) as address from affiliates
    where organization_id = :organization_id::uuid and id = any (:affiliate_ids::uuid[])
  ) as affiliate
  cross join lateral (
    select id from (
      select id, email from affiliates
      where organization_id = affiliate.organization_id and lower(payout_email) = affiliate.address
      union
      select id, email from affiliates
      where organization_id = affiliate.organization_id and lower(email) = affiliate.address and payout_email is null
    ) as found
    where lower(found.email) <> lower(affiliate.email)
    order by id limit :most::int
  ) as other
  group by affiliate.id`);

/** Returns the affiliates among these that share their payout email with another one. */
export async function findSharedPayoutEmails(
  sql: Connection,
  organizationId: string,
  { affiliate_ids, most }: { affiliate_ids: readonly string[]; most: number },
): Promise<SharedPayoutEmail[]> {
  return await FIND_SHARED.run(sql, { organization_id: organizationId, affiliate_ids, most });
}

/** A card that an affiliate paid with as a customer. */
export interface AffiliateCard {
  affiliate_id: string;
  card: string;
  /** The day (UTC) of the first payment with it. */
  day: string;
}

/** By the facts of a customer: cards have no index, and an affiliate has few such facts. */
const FIND_CARDS = statement<AffiliateCard, "organization_id" | "affiliate_ids" | "keys" | "cards">(`
  select own.affiliate_id, paid.card, (min(paid.at) at time zone 'UTC')::date::text as day
  from unnest(:affiliate_ids::uuid[], :keys::text[]) as own (affiliate_id, key)
  join customer_keys known on known.organization_id = :organization_id::uuid and known.key = own.key
  cross join lateral (
    select data ->> 'card' as card, state_at as at from payment_facts
    where organization_id = :organization_id::uuid and customer_id = known.customer_id
      and kind in ('charge', 'link', 'amounts') and data ->> 'card' = any (:cards::text[])
  ) as paid
  group by own.affiliate_id, paid.card`);

/**
 * Returns the cards among these with which customers with these keys paid. Each affiliate may have several
 * keys.
 */
export async function findAffiliateCards(
  sql: Connection,
  organizationId: string,
  { owners, cards }: { owners: readonly { affiliate_id: string; key: string }[]; cards: readonly string[] },
): Promise<AffiliateCard[]> {
  return await FIND_CARDS.run(sql, {
    organization_id: organizationId,
    affiliate_ids: owners.map(({ affiliate_id }) => affiliate_id),
    keys: owners.map(({ key }) => key),
    cards,
  });
}
