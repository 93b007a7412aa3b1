import { affiliateTextCondition } from "../affiliates/search.ts";
import type { Connection } from "../postgres/connect.ts";
import { lowerCase } from "../postgres/lower-case.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";

/** Who has a text of the list's search field. Null: too many of the kind to list. */
export interface PaymentTextMatches {
  /** Customers with an email or an id at the processor that it begins. */
  customer_ids: string[] | null;
  /** Referrals with it in their emails. */
  referral_ids: string[] | null;
  /** Affiliates with it in their names, emails or codes. */
  affiliate_ids: string[] | null;
  /** Payments with an id that it begins. */
  decision_ids: string[] | null;
}

export interface PaymentText {
  prefix: string;
  matches: PaymentTextMatches;
}

type RareText = PaymentText & { matches: { [Kind in keyof PaymentTextMatches]: string[] } };

type Fragment = ReturnType<Connection["unsafe"]>;

/** Whether few of each kind have the text, so that their payments are read, and sorted. */
export function isRare(text: PaymentText): text is RareText {
  return Object.values(text.matches).every((ids) => ids !== null);
}

/**
 * Checks a payment for a text. Kinds with few matches need no further look-up. Without `offset 0`, Postgres would first read all
 * keys that begin with a frequent text.
 */
export function textCondition(
  sql: Connection,
  organizationId: string,
  { prefix, matches: { customer_ids, referral_ids, affiliate_ids, decision_ids } }: PaymentText,
): Fragment {
  const lower = lowerCase(prefix);
  const ofCustomer =
    customer_ids === null
      ? sql`exists (
          select from customer_keys
          where organization_id = ${organizationId} and customer_id = decision.customer_id
            and (starts_with(key, ${`email:${prefix.toLowerCase()}`}) or starts_with(key, ${`customer:${prefix}`}))
          offset 0)`
      : sql`decision.customer_id = any (${customer_ids}::uuid[])`;
  const ofPayment =
    decision_ids === null
      ? sql`starts_with(decision.payment_id, ${prefix})`
      : sql`decision.id = any (${decision_ids}::uuid[])`;
  const ofReferral =
    referral_ids === null
      ? sql`exists (
          select from customer_texts
          where organization_id = ${organizationId} and referral_id = decision.referral_id and strpos(email, ${lower}) > 0
          offset 0)`
      : sql`decision.referral_id = any (${referral_ids}::uuid[])`;
  const ofAffiliate = affiliateTextCondition(sql, organizationId, { lower, affiliate_ids });
  return sql`and (${ofPayment} or ${ofReferral} or (true ${ofAffiliate(sql`decision.affiliate_id`)}) or ${ofCustomer})`;
}

/** The decisions about payments with an id that begins with the text, sorted by time: the index of payments has both. */
export function decisionsOf(
  sql: Connection,
  organizationId: string,
  { prefix, within, order }: { prefix: string; within: Fragment; order: Fragment },
): Fragment {
  const { from, until } = prefixBounds(prefix);
  // Without `offset 0`, Postgres would walk the times and check the payment of each.
  return sql`
    select id, paid_at from (
      select id, paid_at from payment_decisions
      where organization_id = ${organizationId} and processor in ('stripe', 'generic')
        and payment_id >= ${from} and payment_id < ${until} and starts_with(payment_id, ${from})
        ${within}
      offset 0) as decision
    ${order}`;
}

/**
 * Returns the customers with an email or id at the processor that begins with a text, and the decisions about payments with
 * such an id. Null: there are more than `most` of a kind.
 */
export async function findPaymentsAndCustomersBeginning(
  sql: Connection,
  organizationId: string,
  { text, most }: { text: string; most: number },
): Promise<Pick<PaymentTextMatches, "customer_ids" | "decision_ids">> {
  const email = prefixBounds(`email:${text.toLowerCase()}`);
  const customer = prefixBounds(`customer:${text}`);
  const payment = prefixBounds(text);
  const limit = sql`limit ${most + 1}`;
  const keys = ({ from, until }: { from: string; until: string }) => sql`
    select customer_id from customer_keys
    where organization_id = ${organizationId} and key >= ${from} and key < ${until} and starts_with(key, ${from})
    ${limit}`;
  const [row] = await sql<[{ customer_ids: string[]; decision_ids: string[] }]>`
    select
      array((${keys(email)}) union (${keys(customer)})) as customer_ids,
      array(select id from payment_decisions
        where organization_id = ${organizationId} and processor in ('stripe', 'generic')
          and payment_id >= ${payment.from} and payment_id < ${payment.until}
          and starts_with(payment_id, ${payment.from}) ${limit}) as decision_ids`;
  const few = (ids: string[]) => (ids.length > most ? null : ids);
  return { customer_ids: few(row.customer_ids), decision_ids: few(row.decision_ids) };
}
