import type { Connection } from "../postgres/connect.ts";
import { lowerCase } from "../postgres/lower-case.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";

/** People with a text of the list's search field, and payments that begin with it. Null: too many of the kind to list. */
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
 * read the texts of all people.
 */
export function frequentText(
  sql: Connection,
  organizationId: string,
  { prefix, matches }: CommissionText,
): Fragment {
  const lower = lowerCase(prefix);
  const { affiliate_ids, referral_ids, commission_ids } = matches;
  return sql`and (
    ${commission_ids === null ? sql`(commission.reversal_of is null and starts_with(commission.processor_payment_id, ${prefix}))` : sql`commission.id = any (${commission_ids}::uuid[])`}
    or ${
      referral_ids === null
        ? sql`exists (
            select from customer_texts
            where organization_id = ${organizationId} and referral_id = commission.referral_id
              and strpos(email, ${lower}) > 0
            offset 0)`
        : sql`commission.referral_id = any (${referral_ids}::uuid[])`
    }
    or ${
      affiliate_ids === null
        ? sql`exists (
            select from affiliate_texts
            where organization_id = ${organizationId} and affiliate_id = commission.affiliate_id
              and strpos(texts, ${lower}) > 0
            offset 0)`
        : sql`commission.affiliate_id = any (${affiliate_ids}::uuid[])`
    })`;
}

/** Returns the commissions with a payment id that begins with the text as typed. Null: there are more than `most`. */
export async function findPaymentsBeginning(
  sql: Connection,
  organizationId: string,
  { text, most }: { text: string; most: number },
): Promise<string[] | null> {
  const { from, until } = prefixBounds(text);
  const rows = await sql<{ id: string }[]>`
    select id from commissions
    where organization_id = ${organizationId} and processor_payment_id is not null and reversal_of is null
      and processor_payment_id >= ${from} and processor_payment_id < ${until}
      and starts_with(processor_payment_id, ${from}) limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}
