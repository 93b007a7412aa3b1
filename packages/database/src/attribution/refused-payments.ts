import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** A decision without a commission because of its affiliate's state. */
export interface RefusedPaymentRow {
  id: string;
  /** The number of all of them. */
  count: number;
}

// Each branch reads a bounded range of an index, because an affiliate may have a million payments.
const FIND = statement<
  RefusedPaymentRow,
  "organization_id" | "affiliate_ids" | "outcome" | "looked_at" | "limit"
>(`
  select refused.id, (count(*) over ())::int as count from (
    select own.id, own.paid_at from unnest(:affiliate_ids::uuid[]) as asked (affiliate_id)
    cross join lateral (
      select id, paid_at, outcome from payment_decisions
      where organization_id = :organization_id::uuid and affiliate_id = asked.affiliate_id and replaced_at is null
      order by paid_at desc, id desc limit :looked_at::int
    ) as own
    where own.outcome = :outcome::text
    union
    select decision.id, decision.paid_at from unnest(:affiliate_ids::uuid[]) as asked (affiliate_id)
    cross join lateral (
      select decision_id from passed_affiliates
      where organization_id = :organization_id::uuid and affiliate_id = asked.affiliate_id
      order by paid_at desc, decision_id desc limit :looked_at::int
    ) as passed
    join payment_decisions decision
      on decision.organization_id = :organization_id::uuid and decision.id = passed.decision_id
    where decision.replaced_at is null and decision.outcome = :outcome::text
      and (decision.explanation -> 'candidates')::jsonb @> jsonb_build_array(
        jsonb_build_object('affiliate_id', asked.affiliate_id, 'result', :outcome::text))
  ) as refused
  order by refused.paid_at desc, refused.id desc limit :limit::int`);

/**
 * Returns the latest payments that earned nothing because one of the affiliates was not approved, or was banned, among
 * the latest `looked_at` payments of each of them.
 */
export async function findRefusedPayments(
  sql: Connection,
  organizationId: string,
  {
    affiliate_ids,
    outcome,
    looked_at,
    limit,
  }: { affiliate_ids: readonly string[]; outcome: string; looked_at: number; limit: number },
): Promise<RefusedPaymentRow[]> {
  return await FIND.run(sql, {
    organization_id: organizationId,
    affiliate_ids,
    outcome,
    looked_at,
    limit,
  });
}
