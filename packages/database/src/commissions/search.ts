import type { Connection } from "../postgres/connect.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";

/** Rows that begin with a text of the list's search field. Null: too many of the kind to list. */
export interface TextMatches {
  affiliate_ids: string[] | null;
  referral_ids: string[] | null;
  commission_ids: string[] | null;
}

export interface CommissionText {
  prefix: string;
  matches: TextMatches;
}

interface RareText {
  prefix: string;
  matches: { [Kind in keyof TextMatches]: string[] };
}

type Fragment = ReturnType<Connection["unsafe"]>;

/** Whether few rows of each kind have the text, so that their commissions are read, and sorted. */
export function isRare(text: CommissionText | undefined): text is RareText {
  return text !== undefined && Object.values(text.matches).every((ids) => ids !== null);
}

/**
 * Checks a commission for a frequent text. Kinds with few matches need no further look-up. Without `offset 0`, Postgres would first
 * read all emails that begin with the text.
 */
export function frequentText(
  sql: Connection,
  organizationId: string,
  { prefix, matches }: CommissionText,
): Fragment {
  const email = prefix.toLowerCase();
  const { affiliate_ids, referral_ids, commission_ids } = matches;
  return sql`and (
    ${commission_ids === null ? sql`(commission.reversal_of is null and starts_with(commission.processor_payment_id, ${prefix}))` : sql`commission.id = any (${commission_ids}::uuid[])`}
    or ${
      referral_ids === null
        ? sql`exists (
            select from referrals
            where organization_id = ${organizationId} and id = commission.referral_id
              and starts_with(lower(email), ${email})
            offset 0)`
        : sql`commission.referral_id = any (${referral_ids}::uuid[])`
    }
    or ${
      affiliate_ids === null
        ? sql`exists (
            select from affiliates
            where organization_id = ${organizationId} and id = commission.affiliate_id
              and starts_with(lower(email), ${email})
            offset 0)`
        : sql`commission.affiliate_id = any (${affiliate_ids}::uuid[])`
    })`;
}

/**
 * Returns the affiliates and customers with an email that begins with the text in lower case, and the commissions with a
 * payment id that begins with it as typed. Null: there are more of the kind.
 */
export async function findCommissionTextMatches(
  sql: Connection,
  organizationId: string,
  { text, most, most_payments }: { text: string; most: number; most_payments: number },
): Promise<TextMatches> {
  const email = prefixBounds(text.toLowerCase());
  const payment = prefixBounds(text);
  const limit = sql`limit ${most + 1}`;
  const [row] = await sql<[RareText["matches"]]>`
    select
      array(select id from affiliates
        where organization_id = ${organizationId} and lower(email) >= ${email.from} and lower(email) < ${email.until}
          and starts_with(lower(email), ${email.from}) ${limit}) as affiliate_ids,
      array(select id from referrals
        where organization_id = ${organizationId} and replaced_at is null
          and lower(email) >= ${email.from} and lower(email) < ${email.until}
          and starts_with(lower(email), ${email.from}) ${limit}) as referral_ids,
      array(select id from commissions
        where organization_id = ${organizationId} and processor_payment_id is not null and reversal_of is null
          and processor_payment_id >= ${payment.from} and processor_payment_id < ${payment.until}
          and starts_with(processor_payment_id, ${payment.from}) limit ${most_payments + 1}) as commission_ids`;
  const few = (ids: string[], limit = most) => (ids.length > limit ? null : ids);
  return {
    affiliate_ids: few(row.affiliate_ids),
    referral_ids: few(row.referral_ids),
    commission_ids: few(row.commission_ids, most_payments),
  };
}
